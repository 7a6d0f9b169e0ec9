# Thins a table of a run, named twice: a row of each thread every so many ns, its first and its last; ns rounded down to us.
#   ns     columns in ns, such as "1 5 6"
#   every  ns between two rows; 0 keeps all
#   key    column of the thread; 0 where a table has none
#   role   column of its role; rows of others than C1 and C2 go
function us(x) {
  return length(x) > 3 ? substr(x, 1, length(x) - 3) "000" : x == "" ? "" : "0"
}
BEGIN { n = split(ns, rounded, " ") }
FNR == 1 { if (NR > 1) print; next }
role && $role != "C1" && $role != "C2" { next }
{ thread = key ? $key : "" }
NR == FNR { last[thread] = $1; next }
every && (thread in shown) && $1 - shown[thread] < every && $1 != last[thread] { next }
{
  shown[thread] = $1
  for (i = 1; i <= n; i++) $rounded[i] = us($rounded[i])
  print
}
