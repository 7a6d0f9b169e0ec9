#!/usr/bin/env bash
# One comment on a pull request that is written anew each time, and not one a push.
#   comment.sh FILE.md
# Needs gh with GH_TOKEN, and GITHUB_REPOSITORY and PULL_REQUEST, its number.
set -euo pipefail
file=$1
mark='<!-- kiln gate -->'
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ printf '%s\n' "$mark"; cat "$file"; } >"$body"
comments=repos/$GITHUB_REPOSITORY/issues
id=$(gh api --paginate "$comments/$PULL_REQUEST/comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id" | head -n 1)
if [ -n "$id" ]; then
  gh api --method PATCH "$comments/comments/$id" --field "body=@$body" --silent
else
  gh api --method POST "$comments/$PULL_REQUEST/comments" --field "body=@$body" --silent
fi
