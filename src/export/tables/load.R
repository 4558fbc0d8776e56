# Loads tables of runs: load_tables("folder")$runs is a data frame.
# An apostrophe keeps spreadsheets from taking text for a formula, also after characters that nobody sees.
unseen <- paste0("\\p{Z}\\p{Cc}\\x{ad}\\x{34f}\\x{61c}\\x{115f}\\x{1160}\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}\\x{200b}-\\x{200f}",
                 "\\x{202a}-\\x{202e}\\x{2060}-\\x{206f}\\x{2800}\\x{3164}\\x{fe00}-\\x{fe0f}\\x{feff}\\x{ffa0}\\x{fff0}-\\x{fffb}",
                 "\\x{1bca0}-\\x{1bca3}\\x{1d173}-\\x{1d17a}\\x{e0000}-\\x{e0fff}")
guard <- paste0("^'('*(?:[\\t\\r\\n]|[", unseen, "]*[=+@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212\ufb29\u207c\u207a-]))")

# A table lies in the folder, or in data/ of a bundle.
path_of <- function(folder, name) {
  found <- Sys.glob(file.path(folder, "data", paste0("*_table-", name, "_data.csv")))
  if (length(found)) found[[1]] else file.path(folder, paste0(name, ".csv"))
}

load_table <- function(folder, name, types = character()) {
  data <- read.csv(path_of(folder, name), colClasses = "character", na.strings = "",
                   encoding = "UTF-8", check.names = FALSE, strip.white = FALSE, skipNul = TRUE)
  for (column in names(types)) {
    cells <- data[[column]]
    data[[column]] <- switch(types[[column]],
      integer = , number = as.numeric(cells),
      boolean = cells == "true",
      time = as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
      sub(guard, "\\1", cells, perl = TRUE))
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
