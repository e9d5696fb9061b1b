(* What is taken from analysis, the rules of the kernel, and their checker. *)
Require Import QArith Qreals Reals List Lia Lra Bool Arith.
Require Import Poly Lp Faces.
Import ListNotations.
Open Scope R_scope.
Definition pair := (Q * nat)%type.
(* The order of pairs: smaller λ first, then larger θ. *)
Definition ple (p q : pair) := (fst p < fst q)%Q \/ (fst p == fst q /\ (snd q <= snd p)%nat)%Q.
Definition psum (p q : pair) : pair := (Qred (fst p + fst q), S (snd p - 1 + (snd q - 1)))%nat.
Definition fn := pt -> R.
Definition row (v : list nat) (m : mono) : list Q := map (fun i => inject_Z (Z.of_nat (nth i m 0%nat))) v.
Fixpoint sumsq (G : list poly) (x : pt) : R := match G with [] => 0 | g :: r => pev x g ^ 2 + sumsq r x end.
Fixpoint summono (ms : list mono) (x : pt) : R := match ms with [] => 0 | m :: r => mev x 0 m ^ 2 + summono r x end.
(* x with x_t replaced by f_t(x) *)
Fixpoint subst (ts : list nat) (fs : list poly) (x : pt) : pt := match ts, fs with
  | t :: ts', f :: fs' => fun i => if Nat.eqb i t then pev x f else subst ts' fs' x i | _, _ => x end.
Fixpoint unitm (m : mono) (i : nat) : bool := match m, i with [], _ => false | e :: r, O => Nat.eqb e 1 && zerom r | e :: r, S j => Nat.eqb e 0 && unitm r j end.
Fixpoint lin (p : poly) (i : nat) : Q := match p with [] => 0%Q | (m, c) :: r => if unitm m i then Qred (c + lin r i) else lin r i end.
(* L is a left inverse of the derivatives of fs at 0 by the variables ts *)
Definition left_inverse (ts : list nat) (fs : list poly) (L : list (list Q)) : bool :=
  Nat.eqb (length L) (length ts) && Nat.eqb (length fs) (length ts)
  && forallb (fun jl => eqv (comb (length ts) (snd jl) (map (fun f => map (lin f) ts) fs)) (unitv (length ts) (fst jl))) (combine (seq 0 (length ts)) L).
Definition dependents v (p : poly) := pdep v p = true.

(* Newton polyhedra: A lists the exponents of the generators G; w runs over all positive weights, z over the torus *)
Definition same_set (A B : list mono) := incl A B /\ incl B A.
Definition no_zero n A (G : list poly) := forall w z, positive n w -> torus z -> exists g, In g G /\ pev z (initial w A g) <> 0.
Definition smooth n A (f : poly) := forall w z, positive n w -> torus z -> pev z (initial w A f) <> 0 \/ exists i, pev z (theta i (initial w A f)) <> 0.
(* the face of w is in the face of the optimal weights ws *)
Definition top v A ws w := forall a, In a A -> least w A a = true -> forall u, In u ws -> (dot (row v a) u == 1)%Q.
Definition top_free v n A ws f := forall w z, positive n w -> torus z -> top v A ws w -> pev z (initial w A f) <> 0.
Definition changes_sign A f w := exists z z', torus z /\ torus z' /\ (forall i, 0 < z i * z' i) /\ pev z (initial w A f) * pev z' (initial w A f) < 0.
Definition newton_value (l : Q) (th : nat) (free : bool) : pair := match (l ?= 1)%Q with Lt => (Qred (l / 2), th) | Gt => (1 # 2, 1%nat) | Eq => (1 # 2, if free then th else S th) end.
Definition polyhedron (h : nat -> Q) v n A G l ws := NoDup v /\ forallb (pdep v) G = true /\ same_set A (exponents G) /\ (forall a, In a A -> length a = n) /\
  face (map (row v) A) (map (fun i => 1 + h i)%Q v) l ws.

Definition density := nat -> Q.
Definition good (h : density) := forall i, (-1 < h i)%Q.

(* What is taken from analysis.  Lo h v f p: the pair of |f| at 0, over the variables v with the density
   Prod |x_i|^(h i), is at least p; Up h v f p: at most p. *)
(* Those that Volume.v proves *)
Record basic (Lo Up : density -> list nat -> fn -> pair -> Prop) : Prop := {
  order : forall h, good h -> forall v f p q, ple p q -> (Lo h v f q -> Lo h v f p) /\ (Up h v f p -> Up h v f q);
  comparison : forall h, good h -> forall v f g C p, near (fun x => Rabs (f x) <= C * Rabs (g x)) -> (Lo h v f p -> Lo h v g p) /\ (Up h v g p -> Up h v f p);
  separate_sum : forall h, good h -> forall u v w f g p q, NoDup u -> NoDup (v ++ w) -> incl (v ++ w) u -> dep v f -> dep w g -> let s := fun x => Rabs (f x) + Rabs (g x) in
    (Lo h u f p -> Lo h u g q -> Lo h u s (psum p q)) /\ (Up h u f p -> Up h u g q -> Up h u s (psum p q)) }.
(* and those that are assumed. *)
Record further (Lo Up : density -> list nat -> fn -> pair -> Prop) : Prop := {
  monomials : forall h, good h -> forall v ms l ws, NoDup v -> (forall m, In m ms -> mdep v 0 m = true) ->
    face (map (row v) ms) (map (fun i => 1 + h i)%Q v) l ws ->
    Lo h v (summono ms) (l / 2, length ws)%Q /\ Up h v (summono ms) (l / 2, length ws)%Q;
  coordinates : forall h, good h -> forall v ts fs L f p, NoDup v -> NoDup ts -> incl ts v -> (forall t, In t ts -> h t == 0)%Q -> dep v f ->
    (forall g, In g fs -> pdep v g = true /\ pc g == 0)%Q -> left_inverse ts fs L = true ->
    (Lo h v f p -> Lo h v (fun x => f (subst ts fs x)) p) /\ (Up h v f p -> Up h v (fun x => f (subst ts fs x)) p);
  newton_none : forall h, good h -> forall v n A G l ws, polyhedron h v n A G l ws -> no_zero n A G -> Lo h v (sumsq G) (l / 2, length ws)%Q;
  newton_smooth : forall h, good h -> forall v n A f l ws free, polyhedron h v n A [f] l ws -> smooth n A f -> (free = true -> top_free v n A ws f) ->
    Lo h v (sumsq [f]) (newton_value l (length ws) free);
  newton_zero : forall h, good h -> forall v n A f l ws w, polyhedron h v n A [f] l ws -> (l == 1)%Q -> positive n w -> top v A ws w -> changes_sign A f w ->
    Up h v (sumsq [f]) (1 # 2, S (length ws));
  sign_change : forall h, good h -> forall v n f w, NoDup v -> pdep v f = true -> (forall a, In a (exponents [f]) -> length a = n) -> positive n w -> changes_sign (exponents [f]) f w -> Up h v (sumsq [f]) (1 # 2, 1%nat) }.
Record theory (Lo Up : density -> list nat -> fn -> pair -> Prop) : Prop := { proved : basic Lo Up; assumed : further Lo Up }.

Inductive cert :=
| Squares (l : list (Q * poly)) (c : cert)
| Sum (v w : list nat) (c d : cert)
| Monomial (ws : list (list Q)) (us : list Q) (phi B : list (list Q))
| Coordinates (ts : list nat) (fs : list poly) (L : list (list Q)) (G : list poly) (c : cert)
| Newton (ord : list mono) (smooth free : bool) (ws : list (list Q)) (us : list Q) (phi B : list (list Q)) (t : tree)
    (zero : option (list Q * (list Q * list Q))).

Definition res := (option pair * option pair)%type.
Fixpoint nodupb (l : list nat) : bool := match l with [] => true | a :: r => negb (mem a r) && nodupb r end.
Definition inclb (v w : list nat) : bool := forallb (fun i => mem i w) v.
Definition lift (f : pair -> pair -> pair) (r s : res) : res :=
  (match fst r, fst s with Some a, Some b => Some (f a b) | _, _ => None end, match snd r, snd s with Some a, Some b => Some (f a b) | _, _ => None end).
Definition pleb (p q : pair) : bool := match (fst p ?= fst q)%Q with Lt => true | Gt => false | Eq => Nat.leb (snd q) (snd p) end.
Definition best (f : pair -> pair -> bool) (a b : option pair) : option pair :=
  match a, b with Some p, Some q => if f p q then Some q else Some p | Some p, None => Some p | None, b => b end.
Definition guard {A} (b : bool) (r : option A) : option A := if b then r else None.
Fixpoint psumsq (l : list (Q * poly)) : poly := match l with [] => [] | (c, g) :: r => padd (pscale c (pmul g g)) (psumsq r) end.
Fixpoint plin (cs gs : list poly) : poly := match cs, gs with c :: cs', g :: gs' => padd (pmul c g) (plin cs' gs') | _, _ => [] end.
(* each of F, times a unit, is a combination of G *)
Definition unit (u : poly) : bool := negb (Qeq_bool (pc u) 0).
Definition combos (F G : list poly) (l : list (poly * list poly)) : bool :=
  Nat.eqb (length l) (length F) && forallb (fun fl => Nat.eqb (length (snd (snd fl))) (length G) && unit (fst (snd fl)) && peq (pmul (fst (snd fl)) (fst fl)) (plin (snd (snd fl)) G)) (combine F l).
Fixpoint pcompm (ts : list nat) (fs : list poly) (k : nat) (m : mono) : poly := match m with [] => pone | e :: r =>
  let b := match find (fun tf => Nat.eqb k (fst tf)) (combine ts fs) with Some (_, f) => f | None => [(repeat 0%nat k ++ [1%nat], 1%Q)] end in
  pmul (ppow b e) (pcompm ts fs (S k) r) end.
Fixpoint pcomp (ts : list nat) (fs : list poly) (p : poly) : poly := match p with [] => [] | (m, c) :: r => padd (pscale c (pcompm ts fs 0 m)) (pcomp ts fs r) end.
Fixpoint peqs (F G : list poly) : bool := match F, G with [], [] => true | f :: F', g :: G' => peq f g && peqs F' G' | _, _ => false end.
Lemma pev_unit x k j : mev x j (repeat 0%nat k ++ [1%nat]) = x (k + j)%nat.
Proof. revert j; induction k; intro j; simpl. ring. rewrite IHk. replace (k + S j)%nat with (S (k + j)) by lia. ring. Qed.
Lemma subst_find ts fs x k : length fs = length ts -> subst ts fs x k = match find (fun tf => Nat.eqb k (fst tf)) (combine ts fs) with Some (_, f) => pev x f | None => x k end.
Proof. revert fs; induction ts as [|t ts IH]; intros [|f fs] L; simpl in *; try discriminate; auto. destruct (Nat.eqb k t); auto. Qed.
Lemma pev_compm ts fs x k m : length fs = length ts -> pev x (pcompm ts fs k m) = mev (subst ts fs x) k m.
Proof. intro L; revert k; induction m as [|e m IH]; intro k; cbn [pcompm mev]. unfold pone; simpl; rewrite Q2R_1; ring.
  rewrite pev_mul, pev_pow, IH. f_equal. f_equal. rewrite subst_find by auto. destruct (find _ _) as [[t f]|]; auto.
  cbn [pev]. rewrite pev_unit, Q2R_1, Nat.add_0_r; ring. Qed.
Lemma pev_comp ts fs x p : length fs = length ts -> pev x (pcomp ts fs p) = pev (subst ts fs x) p.
Proof. intro L; induction p as [|[m c] p IH]; cbn [pcomp pev]; auto. rewrite pev_add, pev_scale, pev_compm, IH; auto. Qed.
Lemma peqs_ok F G x : peqs F G = true -> sumsq F x = sumsq G x.
Proof. revert G; induction F as [|f F IH]; intros [|g G] H; simpl in *; try discriminate; auto. apply andb_true_iff in H as [A B].
  rewrite (peq_ok _ _ A), (IH G); auto. Qed.
Lemma sumsq_pos G x : 0 <= sumsq G x.
Proof. induction G; cbn [sumsq]; [lra|]. assert (A := pow2_ge_0 (pev x a)). lra. Qed.
Lemma sumsq_part b G x : sumsq G x = sumsq (filter b G) x + sumsq (filter (fun g => negb (b g)) G) x.
Proof. induction G; simpl; [lra|]. destruct (b a); simpl; rewrite IHG; lra. Qed.
Lemma sumsq_dep v G : forallb (pdep v) G = true -> dep v (sumsq G).
Proof. intros H x y E. induction G; simpl in *; auto. apply andb_true_iff in H as [A B]. rewrite IHG by auto. rewrite (pdep_ok _ _ A x y E). auto. Qed.
Lemma filter_all {A} (b : A -> bool) l : forallb b (filter b l) = true.
Proof. induction l; simpl; auto. destruct (b a) eqn:E; simpl; rewrite ?E; auto. Qed.
Lemma nodupb_ok l : nodupb l = true -> NoDup l.
Proof. induction l; simpl; constructor; apply andb_true_iff in H as [A B]; auto. intro I. apply negb_true_iff in A.
  assert (mem a l = true) by (unfold mem; apply existsb_exists; exists a; split; auto; apply Nat.eqb_refl). congruence. Qed.
Lemma inclb_ok v w : inclb v w = true -> incl v w.
Proof. unfold inclb; rewrite forallb_forall. intros H i I. apply mem_in, H, I. Qed.
(* Σ (multiples) is bounded by C·Σ g² *)
Lemma sq_le a b : (a + b) ^ 2 <= 2 * a ^ 2 + 2 * b ^ 2. Proof. assert (A := pow2_ge_0 (a - b)). lra. Qed.
Lemma plin_bd cs G : exists C, 0 <= C /\ near (fun x => pev x (plin cs G) ^ 2 <= C * sumsq G x).
Proof. revert G; induction cs as [|c cs IH]; intros G.
  - exists 0; split; [lra|]. exists 1; split; [lra|]. intros x _; simpl. lra.
  - destruct G as [|g G]. exists 0; split; [lra|]; exists 1; split; [lra|]; intros x _; simpl; lra.
    destruct (IH G) as (C & HC & N). destruct (pbounded c) as (D & HD & M).
    exists (2 * D ^ 2 + 2 * C). split; [nra|]. eapply near_imp; [|apply (near_and _ _ N M)]. cbn beta. intros x [A B].
    cbn [plin sumsq]. rewrite pev_add, pev_mul. eapply Rle_trans; [apply sq_le|].
    assert (P := sumsq_pos G x). assert (E : pev x c ^ 2 <= D ^ 2). { rewrite <- (pow2_abs (pev x c)). apply pow_incr. split; [apply Rabs_pos|auto]. }
    assert (S : 0 <= pev x g ^ 2) by (apply pow2_ge_0). replace ((pev x c * pev x g) ^ 2) with (pev x c ^ 2 * pev x g ^ 2) by ring. nra. Qed.
Lemma combos_ok F G l : combos F G l = true -> exists C, near (fun x => Rabs (sumsq F x) <= C * Rabs (sumsq G x)).
Proof. unfold combos; intro H; apply andb_true_iff in H as [L H]. apply Nat.eqb_eq in L.
  assert (X : exists C, 0 <= C /\ near (fun x => sumsq F x <= C * sumsq G x)).
  { revert l L H; induction F as [|f F IH]; intros [|[u cs] l] L H; simpl in L; try discriminate.
    - exists 0; split; [lra|]. exists 1; split; [lra|]. intros; simpl; lra.
    - cbn [combine forallb fst snd] in H. apply andb_true_iff in H as [A B]. rewrite !andb_true_iff in A; destruct A as [[_ U] E].
      destruct (IH l ltac:(lia) B) as (C & HC & N). destruct (plin_bd cs G) as (D & HD & M).
      apply negb_true_iff in U. destruct (punit u U) as (c & Hc & K).
      exists (D / c ^ 2 + C). assert (P2 : 0 < c ^ 2) by nra. assert (Q0 : 0 <= D / c ^ 2) by (apply Rmult_le_pos; [lra|]; left; apply Rinv_0_lt_compat; auto).
      split; [lra|]. eapply near_imp; [|apply (near_and _ _ N (near_and _ _ M K))]. cbn beta. intros x [A1 [A2 A3]].
      cbn [sumsq]. rewrite <- (peq_ok _ _ E x), pev_mul in A2. assert (P := sumsq_pos G x).
      assert (c ^ 2 * pev x f ^ 2 <= D * sumsq G x).
      { eapply Rle_trans; [|apply A2]. replace ((pev x u * pev x f) ^ 2) with (pev x u ^ 2 * pev x f ^ 2) by ring.
        apply Rmult_le_compat_r; [apply pow2_ge_0|]. rewrite <- (pow2_abs (pev x u)). apply pow_incr; lra. }
      assert (pev x f ^ 2 <= D / c ^ 2 * sumsq G x).
      { apply Rmult_le_reg_l with (c ^ 2); auto. replace (c ^ 2 * (D / c ^ 2 * sumsq G x)) with (D * sumsq G x) by (field; lra). auto. }
      lra. }
  destruct X as (C & HC & N). exists C. eapply near_imp; [|apply N]. intros x A. rewrite !Rabs_right; auto; apply Rle_ge, sumsq_pos. Qed.
(* terms that cannot cancel *)
Fixpoint parity (a b : mono) : bool := match a, b with [], _ => forallb Nat.even b | _, [] => forallb Nat.even a
  | x :: a', y :: b' => Nat.even (x + y) && parity a' b' end.
Definition same_sign (s t : mono * Q) : bool := parity (fst s) (fst t) && Qle_bool 0 (snd s * snd t).
Definition one_signed (g : poly) : bool := match g with [] => false | t :: r => forallb (fun s => forallb (same_sign s) g) g && negb (Qeq_bool (snd t) 0) end.
Lemma pow2_gt_0 x : x <> 0 -> 0 < x ^ 2.
Proof. intro N. assert (A := pow2_ge_0 x). assert (x ^ 2 <> 0) by (apply pow_nonzero; auto). lra. Qed.
Lemma even_pow x e : Nat.even e = true -> 0 <= x ^ e /\ (x <> 0 -> 0 < x ^ e).
Proof. intro H. apply Nat.even_spec in H as [k ->]. rewrite pow_mult. assert (0 <= x ^ 2) by apply pow2_ge_0. split. apply pow_le; auto.
  intro N. apply pow_lt. apply pow2_gt_0; auto. Qed.
Lemma even_mev x k b : forallb Nat.even b = true -> 0 <= mev x k b /\ (torus x -> 0 < mev x k b).
Proof. revert k; induction b as [|e b IH]; intros k H; simpl in *. split; intros; lra. apply andb_true_iff in H as [A B].
  destruct (IH (S k) B) as [P Q]. destruct (even_pow (x k) e A) as [R S]. split. apply Rmult_le_pos; auto. intro T; apply Rmult_lt_0_compat; auto. Qed.
Lemma parity_ok a b x k : parity a b = true -> 0 <= mev x k a * mev x k b /\ (torus x -> 0 < mev x k a * mev x k b).
Proof. revert b k; induction a as [|e a IH]; intros b k H.
  { change (mev x k []) with 1. rewrite Rmult_1_l. apply even_mev. destruct b; auto. }
  destruct b as [|f b]. { change (mev x k []) with 1. rewrite Rmult_1_r. apply even_mev; auto. }
  simpl in H. apply andb_true_iff in H as [A B]. cbn [mev]. replace (x k ^ e * mev x (S k) a * (x k ^ f * mev x (S k) b)) with (x k ^ (e + f) * (mev x (S k) a * mev x (S k) b)) by (rewrite pow_add; ring).
  destruct (IH b (S k) B) as [P Q]. destruct (even_pow (x k) _ A) as [R S]. split. apply Rmult_le_pos; auto. intro T; apply Rmult_lt_0_compat; auto. Qed.
Definition tev x (t : mono * Q) := Q2R (snd t) * mev x 0 (fst t).
Lemma same_sign_ok s t x : same_sign s t = true -> 0 <= tev x s * tev x t.
Proof. unfold same_sign, tev; intro H; apply andb_true_iff in H as [A B]. apply Qle_bool_iff, Qle_Rle in B. rewrite Q2R_mult, Q2R_0 in B.
  destruct (parity_ok _ _ x 0 A) as [P _]. replace (Q2R (snd s) * mev x 0 (fst s) * (Q2R (snd t) * mev x 0 (fst t))) with (Q2R (snd s) * Q2R (snd t) * (mev x 0 (fst s) * mev x 0 (fst t))) by ring.
  apply Rmult_le_pos; auto. Qed.
Lemma cross s g x : (forall t, In t g -> 0 <= tev x s * tev x t) -> 0 <= tev x s * pev x g.
Proof. induction g as [|[m c] g IH]; intro H; cbn [pev]; [lra|]. assert (A := H (m, c) (or_introl eq_refl)). unfold tev in A at 2; cbn [fst snd] in A.
  assert (0 <= tev x s * pev x g) by (apply IH; intros; apply H; right; auto). nra. Qed.
Definition kf (ideal : bool) (G : list poly) : fn := if ideal then sumsq G else fun x => pev x (hd [] G).
Definition is_term (g : poly) : bool := match g with [(_, c)] => negb (Qeq_bool c 0) | _ => false end.
Definition mono_of (g : poly) : mono := match g with (m, _) :: _ => m | [] => [] end.
Definition is_one (G : list poly) (p : poly) : bool := match G with [f] => peq f p | _ => false end.
(* the leaves of a tree of faces; where [need] no zeros are allowed *)
Definition leaf (v : list nat) (need : list mono -> bool) (G : list poly) (S : list mono) (e : evidence) : bool :=
  let F := map (restrict S) G in let F' := if slopes e then F ++ match F with [f] => map (fun i => clean (theta i f)) v | _ => [] end else F in
  (negb (slopes e) || (negb (need S) && Nat.eqb (length G) 1)) && one_signed (form e)
  && Nat.eqb (length (factors e)) (length F') && peq (plin (factors e) F') (form e).
Fixpoint qpow (q : Q) (e : nat) : Q := match e with O => 1%Q | S k => Qred (q * qpow q k) end.
Fixpoint qmev (z : list Q) (k : nat) (m : mono) : Q := match m with [] => 1%Q | e :: r => (qpow (nth k z 1) e * qmev z (S k) r)%Q end.
Fixpoint qev (z : list Q) (p : poly) : Q := match p with [] => 0%Q | (m, c) :: r => Qred (c * qmev z 0 m + qev z r)%Q end.
Definition pos_point n (w : list Q) := Nat.eqb (length w) n && forallb (fun x => negb (Qle_bool x 0)) w.
Fixpoint orthant (z y : list Q) := match z, y with [], [] => true | a :: z', b :: y' => negb (Qle_bool (a * b) 0) && orthant z' y' | _, _ => false end.
Definition signs A f w z y := orthant z y && (let F := initial w A f in negb (Qle_bool 0 (qev z F * qev y F))).
Definition top_set v ws (S : list mono) := forallb (fun a => forallb (fun u => Qeq_bool (dot (row v a) u) 1) ws) S.
Definition pad (n : nat) (p : poly) : poly := map (fun t => (fst t ++ repeat 0%nat (n - length (fst t)), snd t)) p.
Definition lowest w (A : list mono) := filter (least w A) A.
(* each generator as a sum of the terms that a list names *)
Definition term (a : mono) : poly := [(a, 1%Q)].
Definition sums (A : list mono) (G : list poly) : list (poly * list poly) := map (fun g => (pone, map (fun a => map (fun t => ([], snd t)) (restrict [a] g)) A)) G.
Fixpoint check (h : density) (v : list nat) (ideal : bool) (G : list poly) (c : cert) : option res := match c with
  | Squares l c => guard (negb ideal && forallb (fun t => negb (Qle_bool (fst t) 0)) l && is_one G (psumsq l)) (check h v true (map snd l) c)
  | Sum w1 w2 c d => let F := filter (pdep w1) G in let F' := filter (fun g => negb (pdep w1 g)) G in
      guard (ideal && nodupb v && nodupb (w1 ++ w2) && inclb (w1 ++ w2) v && forallb (pdep w2) F')
        (match check h v true F c, check h v true F' d with Some r, Some s => Some (lift psum r s) | _, _ => None end)
  | Monomial ws us phi B => let ms := map mono_of G in
      guard (ideal && nodupb v && forallb is_term G && forallb (mdep v 0) ms
             && lpcheck (map (row v) ms) (map (fun i => 1 + h i)%Q v) (sum us) ws us phi B)
        (let p := (Qred (sum us / 2), length ws) in Some (Some p, Some p))
  | Coordinates ts fs L G' c =>
      guard (ideal && nodupb v && nodupb ts && inclb ts v && forallb (fun t => Qeq_bool (h t) 0) ts && forallb (pdep v) G'
             && forallb (fun g => pdep v g && Qeq_bool (pc g) 0) fs && left_inverse ts fs L && peqs G (map (pcomp ts fs) G')) (check h v true G' c)
  | Newton ord smooth free ws us phi B t zero => let n := length (hd [] ord) in let l := sum us in
      let need := fun S => negb smooth || (free && top_set v ws S) in
      guard (ideal && nodupb v && forallb (pdep v) G && subsetb ord (exponents G) && subsetb (exponents G) ord && forallb (fun a => Nat.eqb (length a) n) ord
             && lpcheck (map (row v) ord) (map (fun i => 1 + h i)%Q v) l ws us phi B && (negb smooth || Nat.eqb (length G) 1)
             && match ord with [] => false | o :: r => walk n (leaf v need G) r [o] [] t end
             && forallb (mdep v 0) ord && combos G (map term ord) (sums ord G)
             && match zero with Some (w, (z, y)) => pos_point n w && Nat.eqb (length z) n && Nat.eqb (length G) 1 && signs ord (hd [] G) w z y && signs (exponents G) (hd [] G) w z y | None => true end)
        (Some (Some (if smooth then newton_value l (length ws) free else (Qred (l / 2), length ws)),
            best (fun p q => negb (pleb p q)) (Some (Qred (l / 2), length ws)) (match zero with
              | Some (w, _) => Some (1 # 2, if Qeq_bool l 1 && top_set v ws (lowest w ord) then S (length ws) else 1%nat) | None => None end)))
  end.
