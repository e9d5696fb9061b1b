"""The local web page: ``rlct serve``.

server  the server: this machine only, reading only
forms  what can be asked on the page, a form for each kind of question
question  a question as the address of the page: read, written, and as a command
page  the page as HTML: the form, and the answer below it
answer_page  the answer as HTML: value, proof, pictures, command
reply  the reply to an address: the page, or what is downloaded from it
in_browser  replies where there is no server, in the page that is built as files
served_answer  what came back for a question
answer_pool  where questions are answered: processes with limits, at most so many at once
limits  how much one question may use
worker  a process that answers one question and ends
warm  a module that loads all that an answer needs
answer  the parts of an answer, in the order in which the page shows them
moving  numbers for the pictures that move in the page
unfolding  charts and cells as trees that unfold
mathml  formulas that the browser typesets
quiz  a form for a guess in place of the answer
theory_page  the pages of the theory that answers cite
static/  style, icon and scripts, one a picture

It imports any room but `rlct.cli`.
"""
