# Issue and completion of a request have the same sector.
help	requests to block devices: which task made them, and how long the device took
command	stream
hook	block:block_rq_issue,sector/block:block_rq_complete,sector
column	time,start.comm,start.pid,dev.dev,rwbs,sector,nr_sector,took
