# Thins a table of a run, named twice: a row every so many ns and the last; ns rounded down to us.
#   ns     columns in ns, such as "1 5 6"
#   every  ns between two rows; 0 keeps all
#   role   column of a thread's role; rows of others than C1 and C2 go
function us(x) {
  return length(x) > 3 ? substr(x, 1, length(x) - 3) "000" : x == "" ? "" : "0"
}
BEGIN { n = split(ns, rounded, " ") }
FNR == 1 { if (NR > 1) print; next }
role && $role != "C1" && $role != "C2" { next }
NR == FNR { last = $1; next }
every && shown && $1 - shown < every && $1 != last { next }
{
  shown = $1
  for (i = 1; i <= n; i++) $rounded[i] = us($rounded[i])
  print
}
