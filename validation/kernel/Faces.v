(* Initial forms for all positive weights, decided along a tree of comparisons of exponents. *)
Require Import QArith Qreals Reals List Lia Lqa Bool Arith.
Require Import Poly Lp.
Import ListNotations.
Open Scope Q_scope.
Definition qv (m : mono) : list Q := map (fun e => inject_Z (Z.of_nat e)) m.
Definition wd (w : list Q) (m : mono) : Q := dot (qv m) w.
Definition positive (n : nat) (w : list Q) := length w = n /\ forall x, In x w -> 0 < x.
Definition exponents (G : list poly) : list mono := concat (map (map fst) G).
(* the terms of g of least weight among the exponents A *)
Definition least (w : list Q) (A : list mono) (m : mono) : bool := forallb (fun a => Qle_bool (wd w m) (wd w a)) A.
Definition initial (w : list Q) (A : list mono) (g : poly) : poly := filter (fun t => least w A (fst t)) g.
Definition theta (i : nat) (p : poly) : poly := map (fun t => (fst t, snd t * inject_Z (Z.of_nat (nth i (fst t) 0%nat)))) p.  (* x_i d/dx_i *)
Definition torus (x : pt) := forall i, x i <> 0%R.

Definition meqb (a b : mono) : bool := if list_eq_dec Nat.eq_dec a b then true else false.
Definition among (S : list mono) (m : mono) : bool := existsb (meqb m) S.
Definition restrict (S : list mono) (g : poly) : poly := filter (fun t => among S (fst t)) g.
Lemma among_in S m : among S m = true <-> In m S.
Proof. unfold among, meqb; rewrite existsb_exists. split. intros (x & I & E). destruct (list_eq_dec _ m x); [subst; auto|discriminate].
  intro I; exists m; split; auto. destruct (list_eq_dec _ m m); congruence. Qed.
(* At a leaf: factors of the forms, and with [slopes] of x_i d/dx_i of the only one, whose combination is [form]. *)
Record evidence := mke { slopes : bool; factors : list poly; form : poly }.
Inductive tree := Leaf (e : evidence) | Dead (lam : list Q) | Cmp (gt eq lt : tree).
Definition dif (a b : mono) : list Q := subv (qv a) (qv b).
Fixpoint lam_ok (cs : list (bool * list Q)) (lam : list Q) : bool := match cs, lam with
  | (b, _) :: r, l :: s => (negb b || Qle_bool 0 l) && lam_ok r s | _, _ => true end.
Fixpoint lam_pos (cs : list (bool * list Q)) (lam : list Q) : bool := match cs, lam with
  | (b, _) :: r, l :: s => (b && negb (Qle_bool l 0)) || lam_pos r s | _, _ => false end.
Definition farkas (n : nat) (cs : list (bool * list Q)) (lam : list Q) : bool :=
  let s := comb n lam (map snd cs) in Nat.eqb (length lam) (length cs) && lam_ok cs lam && forallb (fun x => Qle_bool x 0) s && (lam_pos cs lam || existsb (fun x => negb (Qle_bool 0 x)) s).
Section Walk.
Variables (n : nat) (leaf : list mono -> evidence -> bool).
Fixpoint walk (rest S : list mono) (cs : list (bool * list Q)) (t : tree) : bool := match t, rest with
  | Dead lam, _ => farkas n cs lam
  | Leaf e, [] => leaf S e
  | Cmp g e l, a :: r => let o := hd [] S in
      walk r S ((true, dif a o) :: cs) g && walk r (a :: S) ((false, dif a o) :: cs) e && walk r [a] ((true, dif o a) :: cs) l
  | _, _ => false end.
Definition holds (w : list Q) (c : bool * list Q) := if fst c then 0 < dot (snd c) w else dot (snd c) w == 0.
Lemma qv_len m : length (qv m) = length m. Proof. apply map_length. Qed.
Lemma dif_dot a b w : length a = length b -> dot (dif a b) w == wd w a - wd w b.
Proof. intro; unfold dif, wd; apply dot_subv; rewrite !qv_len; auto. Qed.
Lemma far_sum cs lam w : (forall c, In c cs -> holds w c) -> lam_ok cs lam = true ->
  0 <= wsum lam (map snd cs) w /\ (lam_pos cs lam = true -> 0 < wsum lam (map snd cs) w).
Proof. revert lam; induction cs as [|[b d] cs IH]; intros [|l lam] H K; cbn [map wsum lam_pos lam_ok snd] in *; try (split; [lra|discriminate]).
  apply andb_true_iff in K as [K1 K2]. destruct (IH lam (fun c I => H c (or_intror I)) K2) as [A B]. assert (C := H (b, d) (or_introl eq_refl)). unfold holds in C; cbn [fst snd] in C.
  destruct b; cbn [negb orb andb] in *.
  - apply Qle_bool_iff in K1. split; [nra|]. intro P. apply orb_true_iff in P as [P|P].
    + apply negb_true_iff in P. assert (~ l <= 0) by (intro Z; apply Qle_bool_iff in Z; congruence). assert (0 < l) by lra. nra.
    + specialize (B P). nra.
  - rewrite C. split; [lra|]. intro P; specialize (B P); lra. Qed.
Lemma far_neg s w : (forall x, In x w -> 0 < x) -> length s = length w -> forallb (fun x => Qle_bool x 0) s = true ->
  dot s w <= 0 /\ (existsb (fun x => negb (Qle_bool 0 x)) s = true -> dot s w < 0).
Proof. revert w; induction s as [|a s IH]; intros [|y w] P L H; simpl in *; try discriminate; try (split; [lra|discriminate]).
  apply andb_true_iff in H as [A H]. apply Qle_bool_iff in A. destruct (IH w (fun x I => P x (or_intror I)) ltac:(lia) H) as [B C].
  assert (0 < y) by (apply P; auto). split; [nra|]. intro E. apply orb_true_iff in E as [E|E].
  - apply negb_true_iff in E. assert (~ 0 <= a) by (intro Z; apply Qle_bool_iff in Z; congruence). nra.
  - specialize (C E). nra. Qed.
Lemma farkas_ok cs lam w : positive n w -> lens n (map snd cs) -> (forall c, In c cs -> holds w c) -> farkas n cs lam = true -> False.
Proof. intros [L P] LN H F. unfold farkas in F. rewrite !andb_true_iff in F. destruct F as [[[_ A] B] C].
  destruct (far_sum cs lam w H A) as [S1 S2]. destruct (far_neg (comb n lam (map snd cs)) w P) as [N1 N2]; auto. rewrite len_comb; auto.
  rewrite dot_comb in N1, N2 by auto. apply orb_true_iff in C as [C|C]; [specialize (S2 C)|specialize (N2 C)]; lra. Qed.
(* S: those of least weight among the points seen *)
Definition minimal w (seen S : list mono) := S <> [] /\ forall s, In s S -> forall a, In a seen -> wd w s <= wd w a /\ (wd w a <= wd w s <-> In a S).
Lemma walk_ok rest : forall S seen cs t w, (forall a, In a (rest ++ seen) -> length a = n) -> positive n w -> lens n (map snd cs) -> (forall c, In c cs -> holds w c) ->
  incl S seen -> minimal w seen S -> walk rest S cs t = true -> exists S' e, leaf S' e = true /\ incl S' (rest ++ seen) /\ minimal w (rest ++ seen) S'.
Proof. induction rest as [|a r IH]; intros S seen cs t w LN PW LC HC IS M W.
  - destruct t; simpl in W; try discriminate. exists S, e; auto. exfalso; eapply farkas_ok; eauto.
  - destruct t as [|lam|g e l]; simpl in W; try discriminate; [exfalso; eapply farkas_ok; eauto|]. rewrite !andb_true_iff in W. destruct W as [[W1 W2] W3].
    destruct M as [NE M]. destruct S as [|o S]; [elim NE; reflexivity|]. cbn [hd] in *.
    assert (LA : length a = n) by (apply LN; left; auto). assert (LO : length o = n) by (apply LN, in_or_app; right; apply IS; left; auto).
    assert (LD : forall x y, length x = n -> length y = n -> length (dif x y) = n). { intros x y X Y. unfold dif, subv. rewrite len_addv; [rewrite qv_len; auto|rewrite len_scale, !qv_len; congruence]. }
    assert (INC : forall S', (exists e, leaf S' e = true /\ incl S' (r ++ a :: seen) /\ minimal w (r ++ a :: seen) S') -> exists S'' e0, leaf S'' e0 = true /\ incl S'' ((a :: r) ++ seen) /\ minimal w ((a :: r) ++ seen) S'').
    { intros S' (e' & A1 & A2 & A3). exists S', e'. assert (EQ : forall x, In x ((a :: r) ++ seen) <-> In x (r ++ a :: seen)) by (intro x; simpl; rewrite !in_app_iff; simpl; tauto).
      split; auto. split. intros x X; apply EQ, A2, X. destruct A3 as [Z1 Z2]; split; auto. intros s Hs x X. apply Z2; auto. apply EQ, X. }
    assert (LN' : forall x, In x (r ++ a :: seen) -> length x = n) by (intros x X; apply LN; simpl; rewrite in_app_iff in *; simpl in X; tauto).
    destruct (Qlt_le_dec (wd w o) (wd w a)) as [G|G]; [|destruct (Qlt_le_dec (wd w a) (wd w o)) as [G'|G']].
    + destruct (IH (o :: S) (a :: seen) ((true, dif a o) :: cs) g w) as (S' & e' & X); auto.
      * intros x [<-|X]; simpl; auto. * intros c [<-|C]; auto. unfold holds; cbn [fst snd]. rewrite dif_dot by congruence. lra.
      * intros x X; right; auto. * split; [congruence|]. intros s Hs x [<-|X]; [|apply M; auto].
        assert (E : wd w s == wd w o). { destruct (M o (or_introl eq_refl) s (IS s Hs)) as [A1 A2]. destruct A2 as [_ A2]. specialize (A2 Hs). lra. }
        split; [lra|]. split; [lra|]. intro I. destruct (M o (or_introl eq_refl) a (IS a I)) as [A1 A2]. destruct A2 as [_ A2]. specialize (A2 I). lra.
      * apply INC with S'; eauto.
    + destruct (IH [a] (a :: seen) ((true, dif o a) :: cs) l w) as (S' & e' & X); auto.
      * intros x [<-|X]; simpl; auto. * intros c [<-|C]; auto. unfold holds; cbn [fst snd]. rewrite dif_dot by congruence. lra.
      * intros x [<-|[]]; left; auto. * split; [congruence|]. intros s [<-|[]] x [<-|X]; [split; [lra|split; [left; auto|lra]]|].
        destruct (M o (or_introl eq_refl) x X) as [A1 A2]. split; [lra|]. split; [intro; lra|]. intros [<-|[]]. lra.
      * apply INC with S'; eauto.
    + assert (E : wd w a == wd w o) by lra. destruct (IH (a :: o :: S) (a :: seen) ((false, dif a o) :: cs) e w) as (S' & e' & X); auto.
      * intros x [<-|X]; simpl; auto. * intros c [<-|C]; auto. unfold holds; cbn [fst snd]. rewrite dif_dot by congruence. lra.
      * intros x [<-|X]; [left|right]; auto.
      * split; [congruence|]. assert (EV : forall s, In s (a :: o :: S) -> wd w s == wd w o).
        { intros s [<-|Hs]; auto. destruct (M o (or_introl eq_refl) s (IS s Hs)) as [A1 [_ A2]]. specialize (A2 Hs). lra. }
        intros s Hs x Hx. rewrite (EV s Hs). destruct Hx as [<-|X]. split; [lra|]. split; [left; auto|lra].
        destruct (M o (or_introl eq_refl) x X) as [A1 [A2 A3]]. split; auto. split; [intro; right; auto|]. intro I. rewrite (EV x I). lra.
      * apply INC with S'; eauto. Qed.
End Walk.
Definition clean (p : poly) : poly := filter (fun t => negb (Qeq_bool (snd t) 0)) p.
Definition single (p : poly) : bool := match clean p with [(_, c)] => negb (Qeq_bool c 0) | _ => false end.
Fixpoint subsetb (A B : list mono) : bool := match A with [] => true | a :: r => among B a && subsetb r B end.
Lemma subsetb_ok A B : subsetb A B = true -> incl A B.
Proof. induction A; simpl; intros H x X; destruct X; subst; apply andb_true_iff in H as [P Q]. apply among_in; auto. apply IHA; auto. Qed.
Lemma restrict_initial w A S g : minimal w A S -> incl S A -> (forall t, In t g -> In (fst t) A) -> restrict S g = initial w A g.
Proof. intros [NE M] I H. unfold restrict, initial. apply filter_ext_in. intros t Ht. apply eq_true_iff_eq. rewrite among_in. unfold least. rewrite forallb_forall. split.
  - intros X a Ha. apply Qle_bool_iff. exact (proj1 (M _ X a Ha)).
  - intro X. destruct S as [|s S]; [elim NE; reflexivity|]. apply (proj2 (M s (or_introl eq_refl) (fst t) (H t Ht))). apply Qle_bool_iff, X, I. left; auto. Qed.
