"""The reference folders of results/: their list, their rules, and the pages that are generated from them."""
