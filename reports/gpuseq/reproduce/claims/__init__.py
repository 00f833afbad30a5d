"""The papers' statements and values, the committed records that test them, and the rules that every row obeys.

A paper is a module with a table of rows. `rules` refuses rows that compare unlike things or state more than the records
have. `document` writes docs/results/reproduction.md from the rows that obey them. Only the standard library is imported.
"""
