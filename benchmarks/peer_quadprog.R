# peer_quadprog.R FILE: R's quadprog (Goldfarb and Idnani, in Fortran) on the QP in FILE.
#
# FILE: 32-bit integers n and m, then H and A by columns, c, lo, hi, xlo, xhi as doubles. Runs for
# half a second or five times; prints the least processor time of a call, of calls together where
# they are short: R's clock has milliseconds. Then x and the multipliers of A x, a number a line.
library(quadprog)

clock <- function() sum(proc.time()[1:2])

file <- file(commandArgs(trailingOnly = TRUE)[1], "rb")
size <- readBin(file, "integer", 2, size = 4)
n <- size[1]
m <- size[2]
H <- matrix(readBin(file, "double", n * n), n, n)
A <- matrix(readBin(file, "double", m * n), m, n)
c <- readBin(file, "double", n)
lo <- c(readBin(file, "double", m))
hi <- readBin(file, "double", m)
xlo <- readBin(file, "double", n)
xhi <- readBin(file, "double", n)
close(file)

# Rows of A, then bounds: equalities first, then what is below, then what is above.
all <- rbind(A, diag(n))
low <- base::c(lo, xlo)
high <- base::c(hi, xhi)
equal <- which(low == high)
below <- which(low != high & is.finite(low))
above <- which(low != high & is.finite(high))
row <- base::c(equal, below, above)
sign <- base::c(rep(1, length(equal) + length(below)), rep(-1, length(above)))
Amat <- t(sign * all[row, , drop = FALSE])
bvec <- base::c(low[base::c(equal, below)], -high[above])
rm(all)

call <- function() solve.QP(H, -c, Amat, bvec, meq = length(equal))

batch <- 1
least <- Inf
total <- 0
runs <- 0
answer <- tryCatch({
    while (runs == 0 || (runs < 5 && total < 0.5)) {
        start <- clock()
        for (k in seq_len(batch)) found <- call()
        took <- clock() - start
        if (took < 0.05) {
            batch <- batch * 4
            next
        }
        least <- min(least, took / batch)
        total <- total + took
        runs <- runs + 1
    }
    found
}, error = function(e) quit(status = 3))

y <- numeric(m)
multiplier <- sign * answer$Lagrangian
for (k in seq_along(row)) {
    if (row[k] <= m) y[row[k]] <- y[row[k]] + multiplier[k]
}
cat(sprintf("%.9f\n", least))
cat(sprintf("%a\n", base::c(answer$solution, y)), sep = "")
