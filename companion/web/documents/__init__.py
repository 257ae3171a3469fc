"""The owners' documents, rendered from the files of docs/, so that they can be read without the internet."""
