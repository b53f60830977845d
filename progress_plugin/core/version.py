"""The version of the plugin; the manifests state the same."""

VERSION = "0.1.0"
