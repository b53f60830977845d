"""The report as an HTML page; begin at `report.page` (`render`). Its data is made in `usecases.report`."""
