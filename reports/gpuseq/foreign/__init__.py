"""Result files of other benchmark tools, read as they are and written for them."""
