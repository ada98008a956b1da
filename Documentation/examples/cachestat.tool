# The kernel marks a page of the cache as accessed when it is used, and adds a page to the cache when it has to be read.
help	how well the page cache works: how often pages in it were used, and how many pages were added to it
command	count
need	function folio_mark_accessed or mark_page_accessed
function	folio_mark_accessed or mark_page_accessed
function	filemap_add_folio or add_to_page_cache_lru
option	-a
