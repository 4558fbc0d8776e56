#!/bin/sh
# A study as a Slurm array: `sbatch docs/studies/slurm.sh study.yaml DIR`. Submit it again until nothing is left.
#SBATCH --job-name=quorate
#SBATCH --array=0-3
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@60
exec npx quorate run "$1" --out "$2"
