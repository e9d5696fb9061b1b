#!/usr/bin/env bash
# Proves the kernel sound, compares the axioms with those of Coq's real numbers, and builds the
# proved checker: validation/kernel/build.sh FOLDER. Without coq it says so, and that is no error.
set -euo pipefail
export LC_ALL=C
source=$(cd "$(dirname "$0")" && pwd)
folder=${1:-build/kernel}
if ! command -v coqc >/dev/null; then
    echo "kernel: coq is not installed, the proof was not checked"
    exit 0
fi
mkdir -p "$folder"
cp "$source"/*.v "$source"/main.ml "$folder"
cd "$folder"
for part in Poly Lp Faces Kernel Sound Run Volume Extract; do
    coqc "$part.v" >"$part.log" 2>&1 || { cat "$part.log"; exit 1; }
done
axioms() { grep -oE '^[A-Za-z_.]+ *:|^[A-Za-z_.]+$' "$1" | tr -d ' :' | grep -v '^Axioms$' | sed 's/.*\.//' | sort -u; }
compare() { # compare FILE NAME…: the axioms of a theorem are these
    if [ "$(axioms "$1")" != "$(printf '%s\n' "${@:2}" | sort -u)" ]; then
        echo "kernel: other axioms in $1:"
        axioms "$1"
        exit 1
    fi
}
compare Run.log functional_extensionality_dep sig_forall_dec
compare Volume.log classic functional_extensionality_dep sig_forall_dec sig_not_dec
echo "kernel: run_sound is proved; its axioms are the two of Coq's real numbers"
if command -v ocamlfind >/dev/null && ocamlfind ocamlopt -version >/dev/null 2>&1; then
    ocamlfind ocamlopt -O3 -w -a -o rlct-kernel kernel.mli kernel.ml main.ml
    echo "kernel: the proved checker is $PWD/rlct-kernel"
else
    echo "kernel: ocaml is not installed, the proved checker was not built"
fi
