"""The owners' documents, read on the page without a network: they are drawn from the files of docs/."""
