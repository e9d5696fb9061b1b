Require Import QArith List Poly Lp Faces Kernel Run.
Require Import Extraction ExtrOcamlBasic.
Extraction Language OCaml.
(* Exponents stay inductive numbers: nothing has the bounds of a machine's integers. *)
Extraction "kernel.ml" run mkc padd.
