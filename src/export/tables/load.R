# Loads the tables that lie beside this file: load_tables("folder")$runs is a data frame.
load_table <- function(folder, name, types = character()) {
  data <- read.csv(file.path(folder, paste0(name, ".csv")), colClasses = "character", na.strings = "",
                   encoding = "UTF-8", check.names = FALSE, strip.white = FALSE, skipNul = TRUE)
  for (column in names(types)) {
    cells <- data[[column]]
    data[[column]] <- switch(types[[column]],
      integer = , number = as.numeric(cells),
      boolean = cells == "true",
      time = as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
      # An apostrophe keeps spreadsheets from taking text for a formula.
      sub("^'('*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-])", "\\1", cells))
  }
  data
}

# All tables by their names, with the types of the codebook.
load_tables <- function(folder = ".") {
  codebook <- load_table(folder, "codebook")
  tables <- unique(codebook$table)
  sapply(tables, function(name) {
    own <- codebook[codebook$table == name, ]
    load_table(folder, name, setNames(own$type, own$column))
  }, simplify = FALSE)
}

if (sys.nframe() == 0) {
  arguments <- commandArgs(trailingOnly = TRUE)
  tables <- load_tables(if (length(arguments)) arguments[[1]] else ".")
  for (name in names(tables)) cat(name, nrow(tables[[name]]), ncol(tables[[name]]), "\n")
}
