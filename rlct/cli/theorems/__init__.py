"""Commands on closed forms.

theorem  ``rlct theorem list``, ``show`` and ``eval``
theorem_check  ``rlct theorem check``
theorem_new  ``rlct theorem new``
"""
