# Whoever wants to read a recording that was killed is told how to make a file of it. A killed recording leaves FILE.spool, in which meta has no events.
mkdir k.dat.spool
plan "$DATA/openat2.dat" k.dat.spool/meta </dev/null
try() { ringside "$@"; echo "status $?"; }
for file in k.dat k.dat.spool k.dat.spool/ ./k.dat.spool/meta; do
	try report "$file"
done
try funcs k.dat
try dump k.dat.spool
echo '== what holds no recording is no such folder'
mkdir empty.dat.spool other
cp k.dat.spool/meta other
try report empty.dat
try report empty.dat.spool
try report other
try report other/meta
