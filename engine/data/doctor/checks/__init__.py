"""One file a check; `catalog` finds them by a scan of this folder."""
