"""The summary, from facts to Markdown; begin at `summary.build` (`build`) and `summary.budget` (`fit`)."""
