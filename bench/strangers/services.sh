# Reads services.tsv for the scripts that source it. They set from= (where the services are), only= and get= before.
# A service is NAME.jar there, or the folder NAME with the unpacked distribution.
list=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/services.tsv
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Copies a service from Maven's repository, and unpacks it if it is an archive.
copy() {
  local name=$1 coordinates=$2 tmp
  tmp=$(mktemp -d)
  "$root/mvnw" -q -f "$root/pom.xml" -N org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy "-Dartifact=$coordinates" "-DoutputDirectory=$tmp"
  case $coordinates in
    *:zip*) unzip -q -d "$from/$name" "$tmp"/*.zip ;;
    *:tar.gz*) mkdir -p "$from/$name" && tar -xzf "$tmp"/*.tar.gz -C "$from/$name" ;;
    *) mv "$tmp"/*.jar "$from/$name.jar" ;;
  esac
  rm -r "$tmp"
}

# Calls "$1" NAME COORDINATES with the arrays request and command, for each service that is wanted and there.
each_service() {
  local name coordinates home what
  mkdir -p "$from"
  from=$(cd "$from" && pwd)
  while IFS=$'\t' read -r name _ coordinates what command; do
    [ -z "$only" ] || [[ ,$only, == *,$name,* ]] || continue
    if [ ! -e "$from/$name.jar" ] && [ ! -e "$from/$name" ]; then
      [ -n "$get" ] || { echo "$name: neither $from/$name.jar nor $from/$name is there: --get copies it" >&2; continue; }
      copy "$name" "$coordinates"
    fi
    home=$from
    [ -e "$from/$name.jar" ] || home=$from/$name
    read -a request <<<"$what" # a backslash before a space keeps it within a word
    read -ra command <<<"${command//\$\{home\}/$home}"
    "$1" "$name" "$coordinates" </dev/null
  done < <(grep -v '^#' "$list")
}
