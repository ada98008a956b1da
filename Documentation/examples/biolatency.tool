# The time of a request goes from its issue to the device (block_rq_issue) to its completion (block_rq_complete).
help	how long block devices take for requests, as a distribution
command	latency
kind	block
option	-a
