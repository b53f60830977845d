"""What is kept between processes: modules, patterns, answers; begin at `core.caches.import_caches`."""
