(* From a question to a verdict, and what a verdict means. *)
Require Import QArith Reals List Bool Arith Lia.
Require Import Poly Lp Faces Kernel Sound.
Import ListNotations.
(* x_i = a_i + y_i^(q_i), where q_i is even on a wall x_i >= 0 through the point and odd elsewhere *)
Record question := mkq { ideal : bool; generators : list poly; prior : list Q; point : list Q; walls : list bool; powers : list nat }.
Record claim := mkc { asked : question; proof : cert; lower : option pair; upper : option pair }.
Inductive verdict := Exact | BothEnds | LowerEnd | UpperEnd | Refused.
Definition at_zero (a : Q) : bool := Qeq_bool a 0.
Fixpoint legal (hs ps : list Q) (ws : list bool) (qs : list nat) : bool := match hs, ps, ws, qs with
  | [], [], [], [] => true
  | h :: hs', a :: ps', w :: ws', q :: qs' => negb (Qle_bool h (-1)) && Nat.ltb 0 q && (negb w || Qle_bool 0 a) && Bool.eqb (Nat.even q) (w && at_zero a) && legal hs' ps' ws' qs'
  | _, _, _, _ => false end.
Fixpoint moved_prior (hs ps : list Q) (qs : list nat) : list Q := match hs, ps, qs with
  | h :: hs', a :: ps', q :: qs' => (inject_Z (Z.of_nat q) * (1 + if at_zero a then h else 0) - 1)%Q :: moved_prior hs' ps' qs' | _, _, _ => [] end.
Fixpoint images (k : nat) (ps : list Q) (qs : list nat) : list poly := match ps, qs with
  | a :: ps', q :: qs' => padd (if at_zero a then [] else [([], a)]) [(repeat 0%nat k ++ [q], 1%Q)] :: images (S k) ps' qs' | _, _ => [] end.
Definition width (q : question) := length (prior q).
Definition germ (q : question) : list poly := filter (fun g => match g with [] => false | _ => true end)
  (map (fun g => pad (width q) (pcomp (seq 0 (width q)) (images 0 (point q) (powers q)) g)) (generators q)).
Definition density_of (q : question) : density := fun i => nth i (moved_prior (prior q) (point q) (powers q)) 0%Q.
Definition function_of (q : question) : fn := kf (ideal q) (germ q).
Definition variables_of (q : question) : list nat := seq 0 (width q).
Definition same (p q : pair) : bool := Qeq_bool (fst p) (fst q) && Nat.eqb (snd p) (snd q).
Definition counts (p : option pair) : bool := match p with Some (_, O) => false | _ => true end.
Definition below (claimed proved : option pair) : bool := match claimed, proved with Some p, Some q => pleb p q | _, _ => false end.
Definition all_same (a b c d : option pair) : bool := match a, b, c, d with Some p, Some q, Some r, Some s => same p q && same q r && same r s | _, _, _, _ => false end.
Definition run (c : claim) : verdict := let q := asked c in
  if legal (prior q) (point q) (walls q) (powers q) && forallb (fun h => negb (Qle_bool h (-1))) (moved_prior (prior q) (point q) (powers q))
     && (ideal q || Nat.eqb (length (generators q)) 1) && counts (lower c) && counts (upper c) then
    match check (density_of q) (variables_of q) (ideal q) (germ q) (proof c) with
    | None => Refused
    | Some (l, u) => match below (lower c) l, below u (upper c) with
      | true, true => if all_same (lower c) l u (upper c) then Exact else BothEnds
      | true, false => LowerEnd | false, true => UpperEnd | false, false => Refused end end
  else Refused.
Definition claims_lower v := match v with Exact | BothEnds | LowerEnd => True | _ => False end.
Definition claims_upper v := match v with Exact | BothEnds | UpperEnd => True | _ => False end.
Lemma density_good q : forallb (fun h => negb (Qle_bool h (-1))) (moved_prior (prior q) (point q) (powers q)) = true -> good (density_of q).
Proof. rewrite forallb_forall. intros H i. unfold density_of. set (l := moved_prior _ _ _) in *. destruct (nth_in_or_default i l 0%Q) as [I| ->]; [|reflexivity].
  specialize (H _ I). apply negb_true_iff in H. apply Qnot_le_lt. intro X. apply Qle_bool_iff in X. congruence. Qed.
Theorem run_sound c Lo Up : theory Lo Up -> let q := asked c in
  (claims_lower (run c) -> exists p, lower c = Some p /\ Lo (density_of q) (variables_of q) (function_of q) p) /\
  (claims_upper (run c) -> exists p, upper c = Some p /\ Up (density_of q) (variables_of q) (function_of q) p) /\
  (run c = Exact -> exists p, Lo (density_of q) (variables_of q) (function_of q) p /\ Up (density_of q) (variables_of q) (function_of q) p
     /\ exists p', lower c = Some p /\ upper c = Some p' /\ same p p' = true).
Proof. intros T q. unfold run. fold q.
  destruct (_ && counts (upper c)) eqn:G; [|cbn; repeat split; try tauto; discriminate]. rewrite !andb_true_iff in G. destruct G as [[[[_ D] _] _] _]. apply density_good in D.
  destruct (check (density_of q) (variables_of q) (ideal q) (germ q) (proof c)) as [[l u]|] eqn:E; [|cbn; repeat split; try tauto; discriminate].
  destruct (check_sound Lo Up T _ _ _ _ _ _ D E) as [L U]; cbn [fst snd] in L, U. fold (function_of q) in L, U.
  assert (LL : below (lower c) l = true -> exists p, lower c = Some p /\ Lo (density_of q) (variables_of q) (function_of q) p).
  { intro B. destruct (lower c) as [p|], l as [r|]; cbn [below] in B; try discriminate. exists p; split; auto. apply (proj1 (pleb_ok p r)) in B. apply (order _ _ (proved _ _ T) _ D _ _ _ _ B). auto. }
  assert (UU : below u (upper c) = true -> exists p, upper c = Some p /\ Up (density_of q) (variables_of q) (function_of q) p).
  { intro B. destruct (upper c) as [p|], u as [r|]; cbn [below] in B; try discriminate. exists p; split; auto. apply (proj1 (pleb_ok r p)) in B. apply (order _ _ (proved _ _ T) _ D _ _ _ _ B). auto. }
  destruct (below (lower c) l) eqn:BL, (below u (upper c)) eqn:BU; cbn [claims_lower claims_upper]; try (repeat split; intros; try contradiction; try discriminate; auto; fail).
  destruct (all_same (lower c) l u (upper c)) eqn:S; cbn [claims_lower claims_upper]; (split; [intros _; auto|split; [intros _; auto|]]); [|discriminate].
  intros _. destruct (LL eq_refl) as (p & P1 & P2), (UU eq_refl) as (p' & P3 & P4). rewrite P1, P3 in S. destruct l as [a|], u as [b|]; cbn [all_same] in S; try discriminate.
  rewrite !andb_true_iff in S. destruct S as [[S1 S2] S3]. assert (SS : same p p' = true).
  { unfold same in *. rewrite !andb_true_iff in *. destruct S1 as [A1 A2], S2 as [B1 B2], S3 as [C1 C2]. apply Qeq_bool_iff in A1, B1, C1. apply Nat.eqb_eq in A2, B2, C2. split; [apply Qeq_bool_iff; rewrite A1, B1, C1; reflexivity|apply Nat.eqb_eq; congruence]. }
  exists p; split; auto. split; [|exists p'; auto]. unfold same in SS. apply andb_true_iff in SS as [A B]. apply Qeq_bool_iff in A. apply Nat.eqb_eq in B.
  apply (order _ _ (proved _ _ T) _ D _ _ p' p); auto. right; split; [symmetry; auto|lia]. Qed.
Print Assumptions run_sound.
(* The facts conclude bounds only, so that no contradiction follows from their form; that each is true is not shown by this. *)
Lemma consistent : theory (fun _ _ _ _ => True) (fun _ _ _ _ => True).
Proof. constructor; constructor; intros; repeat split; auto. Qed.
