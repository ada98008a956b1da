# What the environment says and cannot be done is said, and it goes without.
ln -s "$DATA/marker.dat" trace.dat
command -v script >/dev/null || { echo "SKIP: no script(1) to have a terminal by"; exit 0; }
RINGSIDE_THREADS=x ringside report --cpus 2>&1; echo "status $?"
RINGSIDE_THREADS=0 ringside report -F print 2>&1 | head -2
RINGSIDE_THREADS=010 ringside report -F print 2>&1 | head -1
RINGSIDE_THREADS='' ringside help | head -1
# A pager that is not there, in whatever words; one that is; none on a terminal that cannot do more than print.
page() { # page TERM PAGER
	echo "== TERM=$1 PAGER=$2"
	TERM=$1 PAGER=$2 script -qec "ringside report --color=never -F print 2>&1" /dev/null </dev/null | tr -d '\r' | head -2
}
page xterm nosuch
page xterm '  nosuch -R'
page xterm /nowhere/less
page xterm /
page xterm 'X=1 sed s/^/paged:/'
page xterm 'sed s/^/paged:/'
page xterm ' '
page xterm cat
page dumb 'sed s/^/paged:/'
page '' 'sed s/^/paged:/'
PATH=$(dirname "$(command -v ringside)") TERM=xterm "$(command -v script)" -qec "ringside report --color=never -F print 2>&1" /dev/null </dev/null | tr -d '\r' | head -2
# Options of plug-ins.
ringside report -O nosuch -O fgraph:tailprnt=1 -O parent -O fgraph:tailprint -O ftrace:offset=1 -O fgraph:retval-hex --cpus; echo "status $?"
