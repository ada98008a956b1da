# The kernel marks a page of the cache as accessed when it is used, and adds a page to the cache when it has to be read.
help	how well the page cache works: pages used, and pages added, made dirty and dropped
command	count
need	function folio_mark_accessed or mark_page_accessed
function	folio_mark_accessed or mark_page_accessed
function	filemap_add_folio or add_to_page_cache_lru
option	-a
