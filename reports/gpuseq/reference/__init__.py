"""The reference folders of results/: which there are, the rules that they obey, and what is generated from them."""
