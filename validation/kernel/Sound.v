Require Import QArith Qreals Reals List Lia Lra Bool Arith.
Require Import Poly Lp Faces Kernel.
Import ListNotations.
Open Scope R_scope.
Lemma guard_ok {A} b (r : option A) x : guard b r = Some x -> b = true /\ r = Some x.
Proof. destruct b; simpl; auto; discriminate. Qed.
Lemma near_all (P : pt -> Prop) : (forall x, P x) -> near P.
Proof. intro H; exists 1; split; [lra|auto]. Qed.
Lemma plin_nz cs G x : pev x (plin cs G) <> 0 -> exists g, In g G /\ pev x g <> 0.
Proof. revert G; induction cs as [|c cs IH]; intros [|g G] H; simpl in H; try lra. rewrite pev_add, pev_mul in H.
  destruct (Req_dec (pev x g) 0) as [E|E]; [|exists g; split; [left|]; auto]. rewrite E, Rmult_0_r, Rplus_0_l in H. destruct (IH G H) as (f & A & B). exists f; split; [right|]; auto. Qed.
Lemma one_signed_nz g z : one_signed g = true -> torus z -> pev z g <> 0.
Proof. intros H Z. destruct g as [|t r]; [discriminate|]. unfold one_signed in H. apply andb_true_iff in H as [H N]. apply negb_true_iff in N.
  assert (NT : tev z t <> 0). { unfold tev. apply Rmult_integral_contrapositive_currified.
    - intro Y. rewrite <- Q2R_0 in Y. apply eqR_Qeq, Qeq_bool_iff in Y. congruence.
    - generalize 0%nat; generalize (fst t). intro m; induction m; intro k; simpl. lra. apply Rmult_integral_contrapositive_currified; auto. apply pow_nonzero, Z. }
  assert (C : 0 <= tev z t * pev z r). { apply cross. intros s I. apply same_sign_ok. rewrite forallb_forall in H. specialize (H t (or_introl eq_refl)). rewrite forallb_forall in H. apply H; right; auto. }
  destruct t as [m c]. cbn [pev]. unfold tev in *; cbn [fst snd] in *. assert (P := pow2_gt_0 _ NT). intro E. nra. Qed.
Lemma pev_clean z p : pev z (clean p) = pev z p.
Proof. induction p as [|[m c] p IH]; auto. cbn [clean filter snd]. destruct (Qeq_bool c 0) eqn:E; cbn [negb pev]; fold (clean p); rewrite IH; auto.
  apply Qeq_bool_iff, Qeq_eqR in E. rewrite E, Q2R_0. ring. Qed.
Lemma leaf_ok v need G S e z : leaf v need G S e = true -> torus z -> (exists g, In g G /\ pev z (restrict S g) <> 0) \/
  (need S = false /\ exists f i, G = [f] /\ pev z (theta i (restrict S f)) <> 0).
Proof. intros H Z. unfold leaf in H. cbv zeta in H. rewrite !andb_true_iff in H. destruct H as [[[N O] _] P].
  apply (one_signed_nz _ z) in O; auto.
  rewrite <- (peq_ok _ _ P z) in O. apply plin_nz in O as (g & I & O).
  assert (X : In g (map (restrict S) G) -> exists g, In g G /\ pev z (restrict S g) <> 0). { intro J. apply in_map_iff in J as (f & <- & J). exists f; auto. }
  destruct (slopes e); [|left; auto]. cbn [negb orb] in N. apply andb_true_iff in N as [N L]. apply negb_true_iff in N. apply Nat.eqb_eq in L.
  apply in_app_or in I as [I|I]; [left; auto|]. destruct G as [|f [|]]; try discriminate. cbn [map] in I. apply in_map_iff in I as (i & <- & _).
  rewrite pev_clean in O. right; split; auto. exists f, i; auto. Qed.
Lemma exps_in G g t : In g G -> In t g -> In (fst t) (exponents G).
Proof. intros A B. unfold exponents. apply in_concat. exists (map fst g). split; apply in_map; auto. Qed.
Lemma walk_faces n v need G o r t : same_set (o :: r) (exponents G) -> (forall a, In a (o :: r) -> length a = n) -> walk n (leaf v need G) r [o] [] t = true ->
  forall w z, positive n w -> torus z -> exists S, minimal w (o :: r) S /\ incl S (o :: r) /\ ((exists g, In g G /\ pev z (initial w (o :: r) g) <> 0) \/
    (need S = false /\ exists f i, G = [f] /\ pev z (theta i (initial w (o :: r) f)) <> 0)).
Proof. intros [I1 I2] LN W w z PW TZ. destruct (walk_ok n (leaf v need G) r [o] [o] [] t w) as (S & e & L & I & M); auto.
  - intros a A. apply LN. apply in_app_or in A as [A|[<-|[]]]; [right|left]; auto.
  - intros c []. - intros c []. - intros x X; auto. - split; [congruence|]. intros s [<-|[]] a [<-|[]]. split; [apply Qle_refl|]. split; [intro; left; auto|intro; apply Qle_refl].
  - assert (EQ : forall x, In x (r ++ [o]) <-> In x (o :: r)) by (intro x; rewrite in_app_iff; simpl; tauto).
    assert (M' : minimal w (o :: r) S). { destruct M as [Z1 Z2]; split; auto. intros s Hs a Ha. apply Z2; auto. apply EQ; auto. }
    assert (I' : incl S (o :: r)) by (intros x X; apply EQ, I, X). exists S. split; auto. split; auto.
    assert (R : forall g, In g G -> restrict S g = initial w (o :: r) g). { intros g Hg. apply restrict_initial; auto. intros s Hs. apply I2. eapply exps_in; eauto. }
    destruct (leaf_ok _ _ _ _ _ z L TZ) as [(g & A & B)|(N & f & i & -> & B)]; [left|right].
    + exists g; split; auto. rewrite <- R; auto. + split; auto. exists f, i; split; auto. rewrite <- R; auto. left; auto. Qed.
Lemma qpow_ok q e : Q2R (qpow q e) = Q2R q ^ e.
Proof. induction e; cbn [qpow pow]. apply Q2R_1. rewrite Q2R_red, Q2R_mult, IHe; auto. Qed.
Definition qpt (z : list Q) : pt := fun i => Q2R (nth i z 1%Q).
Lemma qev_ok z p : Q2R (qev z p) = pev (qpt z) p.
Proof. assert (M : forall k m, Q2R (qmev z k m) = mev (qpt z) k m).
  { intros k m; revert k; induction m; intro k; cbn [qmev mev]. apply Q2R_1. rewrite Q2R_mult, qpow_ok, IHm; auto. }
  induction p as [|[m c] p IH]; cbn [qev pev]. apply Q2R_0. rewrite Q2R_red, Q2R_plus, Q2R_mult, M, IH; auto. Qed.
Lemma qpos_R q : Qle_bool q 0 = false -> 0 < Q2R q.
Proof. intro H. apply Rnot_le_lt. intro M. rewrite <- Q2R_0 in M. apply Rle_Qle, Qle_bool_iff in M. congruence. Qed.
Lemma orthant_ok z y : orthant z y = true -> forall i, 0 < qpt z i * qpt y i.
Proof. unfold qpt; revert y; induction z as [|a z IH]; intros [|b y] H i; simpl in H; try discriminate.
  - destruct i; simpl; rewrite Q2R_1; lra.
  - apply andb_true_iff in H as [A B]. destruct i; simpl; [|apply IH; auto]. rewrite <- Q2R_mult. apply qpos_R, negb_true_iff; auto. Qed.
Lemma signs_ok A f w z y : signs A f w z y = true -> changes_sign A f w.
Proof. unfold signs; intro H; apply andb_true_iff in H as [O N]. assert (P := orthant_ok _ _ O). exists (qpt z), (qpt y). repeat split; auto.
  - intros i E. specialize (P i). rewrite E in P. lra. - intros i E. specialize (P i). rewrite E in P. lra.
  - cbv zeta in N. rewrite <- !qev_ok, <- Q2R_mult. apply negb_true_iff in N. apply Rnot_le_lt. intro M. rewrite <- Q2R_0 in M. apply Rle_Qle, Qle_bool_iff in M. congruence. Qed.
Lemma pos_point_ok n w : pos_point n w = true -> positive n w.
Proof. unfold pos_point; intro H; apply andb_true_iff in H as [A B]. split. apply Nat.eqb_eq; auto. rewrite forallb_forall in B. intros x X. specialize (B x X). apply negb_true_iff in B.
  apply Qnot_le_lt. intro M. apply Qle_bool_iff in M. congruence. Qed.
Section Sound.
Variables Lo0 Up0 : density -> list nat -> fn -> pair -> Prop.
Hypothesis T : theory Lo0 Up0.
Section Density.
Variable h : density.
Hypothesis Hg : good h.
Notation Lo := (Lo0 h).
Notation Up := (Up0 h).
Definition sound v f (r : res) := (forall p, fst r = Some p -> Lo v f p) /\ (forall p, snd r = Some p -> Up v f p).
Lemma lo_eq v f p q : (fst p == fst q)%Q -> snd p = snd q -> Lo v f q -> Lo v f p.
Proof. intros A B; apply (order _ _ (proved _ _ T) h Hg). right; split; auto. rewrite B; auto. Qed.
Lemma up_eq v f p q : (fst p == fst q)%Q -> snd p = snd q -> Up v f p -> Up v f q.
Proof. intros A B; apply (order _ _ (proved _ _ T) h Hg). right; split; auto. rewrite B; auto. Qed.
Lemma sound_cmp v f g C D r : near (fun x => Rabs (f x) <= C * Rabs (g x)) -> near (fun x => Rabs (g x) <= D * Rabs (f x)) -> sound v f r -> sound v g r.
Proof. intros A B [L U]; split; intros p E; [apply (comparison _ _ (proved _ _ T) h Hg _ _ _ _ p A)|apply (comparison _ _ (proved _ _ T) h Hg _ _ _ _ p B)]; auto. Qed.
Lemma sound_ext v f g r : (forall x, Rabs (f x) = Rabs (g x)) -> sound v f r -> sound v g r.
Proof. intro E; apply (sound_cmp v f g 1 1); apply near_all; intro x; rewrite E; lra. Qed.
Lemma abs_sumsq G x : Rabs (sumsq G x) = sumsq G x. Proof. apply Rabs_right, Rle_ge, sumsq_pos. Qed.
Lemma psumsq_pos l x : forallb (fun t => negb (Qle_bool (fst t) 0)) l = true -> 0 <= pev x (psumsq l).
Proof. induction l as [|[d f] l IH]; intro H; cbn [psumsq pev]; [lra|]. cbn [forallb fst] in H. apply andb_true_iff in H as [P H]. rewrite pev_add, pev_scale, pev_mul.
  apply negb_true_iff in P. assert (0 < Q2R d). { apply Rnot_le_lt. intro M. rewrite <- Q2R_0 in M. apply Rle_Qle, Qle_bool_iff in M. congruence. }
  assert (0 <= pev x f * pev x f) by apply Rle_0_sqr. assert (0 <= pev x (psumsq l)) by auto. nra. Qed.
Lemma psumsq_bd l : forallb (fun t => negb (Qle_bool (fst t) 0)) l = true -> exists C D, 0 <= C /\ 0 <= D /\
  forall x, pev x (psumsq l) <= C * sumsq (map snd l) x /\ sumsq (map snd l) x <= D * pev x (psumsq l).
Proof. induction l as [|[c g] l IH]; intro H; cbn [forallb fst] in H.
  - exists 0, 0; repeat split; try lra; simpl; lra.
  - apply andb_true_iff in H as [P H]. destruct (IH H) as (C & D & HC & HD & B). apply negb_true_iff in P.
    assert (PQ : 0 < Q2R c). { apply Rnot_le_lt. intro N. rewrite <- Q2R_0 in N. apply Rle_Qle, Qle_bool_iff in N. congruence. }
    exists (Q2R c + C), (/ Q2R c + D). assert (I := Rinv_0_lt_compat _ PQ). split; [lra|]; split; [lra|]. intro x. destruct (B x) as [B1 B2].
    cbn [psumsq map sumsq snd]. rewrite pev_add, pev_scale, pev_mul. assert (S := pow2_ge_0 (pev x g)). assert (N := sumsq_pos (map snd l) x).
    set (s := sumsq (map snd l) x) in *. set (q := pev x (psumsq l)) in *. replace (pev x g * pev x g) with (pev x g ^ 2) by ring. set (a := pev x g ^ 2) in *.
    assert (0 <= q) by (apply psumsq_pos; auto).
    split; [nra|]. replace ((/ Q2R c + D) * (Q2R c * a + q)) with (a + / Q2R c * q + D * (Q2R c * a) + D * q) by (field; lra).
    assert (0 <= / Q2R c * q) by (apply Rmult_le_pos; lra). assert (0 <= D * (Q2R c * a)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. Qed.
Lemma terms_mono G : forallb is_term G = true -> exists C D, forall x, sumsq G x <= C * summono (map mono_of G) x /\ summono (map mono_of G) x <= D * sumsq G x /\ 0 <= C /\ 0 <= D /\ 0 <= summono (map mono_of G) x.
Proof. induction G as [|g G IH]; intro H; cbn [forallb] in H.
  - exists 0, 0; intro; simpl; lra.
  - apply andb_true_iff in H as [A H]. destruct (IH H) as (C & D & B). destruct g as [|[m c] [|]]; simpl in A; try discriminate.
    apply negb_true_iff in A. assert (N : Q2R c <> 0). { intro Z. rewrite <- Q2R_0 in Z. apply eqR_Qeq, Qeq_bool_iff in Z. congruence. }
    assert (P := pow2_gt_0 _ N). assert (I := Rinv_0_lt_compat _ P). exists (Q2R c ^ 2 + C), (/ Q2R c ^ 2 + D). intro x. destruct (B x) as (B1 & B2 & HC & HD & M).
    cbn [map sumsq summono mono_of pev]. rewrite Rplus_0_r. replace ((Q2R c * mev x 0 m) ^ 2) with (Q2R c ^ 2 * mev x 0 m ^ 2) by ring.
    assert (S := pow2_ge_0 (mev x 0 m)). assert (Z := sumsq_pos G x). set (a := mev x 0 m ^ 2) in *. set (k := Q2R c ^ 2) in *.
    repeat split; try lra; try nra. replace ((/ k + D) * (k * a + sumsq G x)) with (a + / k * sumsq G x + D * (k * a) + D * sumsq G x) by (field; lra).
    assert (0 <= / k * sumsq G x) by (apply Rmult_le_pos; lra). assert (0 <= D * (k * a)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. Qed.
Lemma is_one_ok G p x : is_one G p = true -> pev x (hd [] G) = pev x p /\ sumsq G x = pev x p ^ 2.
Proof. destruct G as [|f [|]]; simpl; try discriminate. intro H. rewrite (peq_ok _ _ H x). split; auto; lra. Qed.
Lemma sound_lift F v f g s r t : (forall p q, (Lo v f p -> Lo v g q -> Lo v s (F p q)) /\ (Up v f p -> Up v g q -> Up v s (F p q))) ->
  sound v f r -> sound v g t -> sound v s (lift F r t).
Proof. intros H [L U] [L' U']. destruct r as [[a|] [b|]], t as [[c|] [d|]]; split; intros p E; simpl in *; try discriminate; injection E as <-; apply H; auto. Qed.
Lemma dep_part v w f : incl v w -> dep v f -> dep w f. Proof. intros I D x y E; apply D; auto. Qed.

End Density.

Lemma sumsq_terms A x : sumsq (map term A) x = summono A x.
Proof. induction A as [|a A IH]; cbn [map sumsq summono]; auto. rewrite IH. unfold term; cbn [pev]. rewrite Q2R_1. ring. Qed.
Lemma pev_pad n x p : pev x (pad n p) = pev x p.
Proof. assert (M : forall m r k, mev x k (m ++ repeat 0%nat r) = mev x k m).
  { induction m as [|e m IH]; intros r k; cbn [app mev]; [apply mev_zero; induction r; simpl; auto|]. rewrite IH; auto. }
  induction p as [|[m c] p IH]; auto. cbn [pad map pev fst snd]. fold (pad n p). rewrite M, IH; auto. Qed.
Lemma ple_trans p q r : ple p q -> ple q r -> ple p r.
Proof. unfold ple. intros [A|[A B]] [C|[C D]].
  - left; eapply Qlt_trans; eauto. - left; rewrite <- C; auto. - left; rewrite A; auto. - right; split; [rewrite A; auto|lia]. Qed.
Lemma pleb_ok p q : (pleb p q = true -> ple p q) /\ (pleb p q = false -> ple q p).
Proof. unfold pleb, ple. destruct (fst p ?= fst q)%Q eqn:E; split; intro H; try discriminate.
  - apply Nat.leb_le in H. right. apply Qeq_alt in E. auto. - apply Nat.leb_gt in H. right. apply Qeq_alt in E. split; [symmetry; auto|lia].
  - left. apply Qlt_alt; auto. - left. apply Qgt_alt; auto. Qed.
Lemma ple_refl p : ple p p. Proof. right; split; [reflexivity|lia]. Qed.
Ltac here IH h Hg := let X := fresh in assert (X := IH h Hg); clear IH; rename X into IH.
Theorem check_sound c : forall h v ideal G r, good h -> check h v ideal G c = Some r -> sound h v (kf ideal G) r.
Proof. cut (forall h, good h -> forall v ideal G r, check h v ideal G c = Some r -> sound h v (kf ideal G) r); [intros; auto|].
  induction c; intros h Hg vv ideal GG r0 H; cbn [check] in H; apply guard_ok in H as [Hc H].
  - (* squares *) here IHc h Hg. rewrite !andb_true_iff in Hc. destruct Hc as [[I P] O]. destruct ideal; [discriminate|]. apply IHc in H.
    destruct (psumsq_bd l P) as (C & D & HC & HD & B). unfold kf in *. apply (sound_cmp h Hg vv (sumsq (map snd l)) _ D C); auto; apply near_all; intro x;
    destruct (is_one_ok GG _ x O) as [-> _]; destruct (B x) as [B1 B2]; rewrite abs_sumsq; assert (0 <= sumsq (map snd l) x) by apply sumsq_pos.
    + eapply Rle_trans; [apply B2|]. apply Rmult_le_compat_l; auto. apply Rle_abs.
    + rewrite Rabs_right; auto. apply Rle_ge, psumsq_pos; auto.
  - (* sum *) here IHc1 h Hg; here IHc2 h Hg. rewrite !andb_true_iff in Hc. destruct Hc as [[[[I N] M] S] D]. destruct ideal; [|discriminate]. apply nodupb_ok in N, M. apply inclb_ok in S.
    destruct (check h vv true _ c1) as [a|] eqn:E1; [|discriminate]. destruct (check h vv true _ c2) as [b|] eqn:E2; [|discriminate]. injection H as <-. apply IHc1 in E1. apply IHc2 in E2. unfold kf in *.
    set (F := filter (pdep v) GG) in *. set (F' := filter (fun g => negb (pdep v g)) GG) in *.
    assert (D1 : dep v (sumsq F)) by (apply sumsq_dep, filter_all). assert (D2 : dep w (sumsq F')) by (apply sumsq_dep; auto).
    apply (sound_ext h Hg vv (fun x => Rabs (sumsq F x) + Rabs (sumsq F' x))).
    { intro x. rewrite (abs_sumsq F), (abs_sumsq F'), (sumsq_part (pdep v) GG x). reflexivity. }
    apply (sound_lift h psum _ (sumsq F) (sumsq F')); auto. intros p q. apply (separate_sum _ _ (proved _ _ T) h Hg vv v w); auto.
  - (* monomial *) rewrite !andb_true_iff in Hc. destruct Hc as [[[[I N] TT] D] LP]. destruct ideal; [|discriminate]. apply nodupb_ok in N. cbv zeta in H. set (pp := (Qred (sum us / 2), length ws)) in H.
    assert (PP : (fst pp == sum us / 2)%Q) by apply Qred_correct. assert (PS : snd pp = length ws) by reflexivity. clearbody pp. injection H as <-. apply lpcheck_ok in LP.
    destruct (terms_mono GG TT) as (C & D' & BB). unfold kf. apply (sound_cmp h Hg vv (summono (map mono_of GG)) _ D' C).
    + apply near_all; intro x. destruct (BB x) as (B1 & B2 & HC & HD & Z). rewrite abs_sumsq, Rabs_right; lra.
    + apply near_all; intro x. destruct (BB x) as (B1 & B2 & HC & HD & Z). rewrite abs_sumsq, (Rabs_right (summono _ x)); lra.
    + rewrite forallb_forall in D. destruct (monomials _ _ (assumed _ _ T) h Hg vv (map mono_of GG) _ ws N D LP) as [LL UU]. split; intros p E; injection E as <-.
      apply (lo_eq h Hg vv _ _ ((sum us / 2)%Q, length ws)); [apply PP|apply PS|apply LL].
      apply (up_eq h Hg vv _ ((sum us / 2)%Q, length ws)); [symmetry; apply PP|symmetry; apply PS|apply UU].
  - (* coordinates *) here IHc h Hg. rewrite !andb_true_iff in Hc. destruct Hc as [[[[[[[[I N] M] S] Z] D] P] LI] O]. destruct ideal; [|discriminate]. apply nodupb_ok in N, M. apply inclb_ok in S.
    apply IHc in H. unfold kf in *. assert (LF : length fs = length ts) by (unfold left_inverse in LI; rewrite !andb_true_iff in LI; destruct LI as [[_ LI] _]; apply Nat.eqb_eq; auto).
    assert (E : forall x, sumsq GG x = sumsq G (subst ts fs x)).
    { intro x. rewrite (peqs_ok _ _ x O). clear -LF. induction G; cbn [map sumsq]; auto. rewrite pev_comp, IHG; auto. }
    apply (sound_ext h Hg vv (fun x => sumsq G (subst ts fs x))); [intro x; rewrite E; auto|].
    rewrite forallb_forall in Z, P. assert (DD := sumsq_dep vv G D). destruct H as [LL UU].
    assert (Z' : forall t, In t ts -> (h t == 0)%Q) by (intros t I'; apply Qeq_bool_iff, Z, I').
    assert (P' : forall g, In g fs -> pdep vv g = true /\ (pc g == 0)%Q) by (intros g I'; specialize (P g I'); apply andb_true_iff in P as [A B]; split; auto; apply Qeq_bool_iff; auto).
    split; intros p E'; destruct (coordinates _ _ (assumed _ _ T) h Hg vv ts fs L (sumsq G) p N M S Z' DD P' LI); auto.
  - (* newton *) cbv zeta in Hc, H. rewrite !andb_true_iff in Hc. destruct Hc as [[[[[[[[[[[I N] D0] S1] S2] LN] LP] SG] W] MD] CO] ZR]. destruct ideal; [|discriminate]. apply nodupb_ok in N.
    apply subsetb_ok in S1, S2. rewrite forallb_forall in LN. assert (LN' : forall a, In a ord -> length a = length (hd [] ord)) by (intros a A; apply Nat.eqb_eq, LN, A). clear LN.
    apply lpcheck_ok in LP. destruct ord as [|o r]; [discriminate|]. set (n := length (hd [] (o :: r))) in *.
    set (pp := (Qred (sum us / 2), length ws)) in H. assert (PP : (fst pp == sum us / 2)%Q) by apply Qred_correct. assert (PS : snd pp = length ws) by reflexivity. clearbody pp.
    injection H as <-.
    assert (PO : polyhedron h vv n (o :: r) GG (sum us) ws) by (split; [auto|split; [auto|split; [split; auto|split; auto]]]).
    assert (WF := walk_faces n vv _ GG o r t (conj S1 S2) LN' W). cbv beta in WF. unfold kf.
    split; intros p E; cbn [fst snd] in E.
    + injection E as <-. destruct smooth.
      * destruct GG as [|f [|]]; try discriminate.
        apply (newton_smooth _ _ (assumed _ _ T) h Hg vv n (o :: r) f (sum us) ws free PO).
        -- intros w z PW TZ. destruct (WF w z PW TZ) as (S & _ & _ & [(g & [<-|[]] & X)|(_ & g & i & E' & X)]); [left; auto|]. injection E' as <-. right; exists i; auto.
        -- intros -> w z PW TZ TO. destruct (WF w z PW TZ) as (S & M & IS & [(g & [<-|[]] & X)|(X & _)]); [auto|]. exfalso. cbn [negb orb andb] in X.
           assert (top_set vv ws S = true); [|congruence]. apply forallb_forall. intros a Ha. apply forallb_forall. intros u Hu. apply Qeq_bool_iff. apply TO; auto.
           unfold least. apply forallb_forall. intros b Hb. apply Qle_bool_iff. destruct M as [_ M]. apply (M a Ha b Hb).
      * apply (lo_eq h Hg vv _ _ ((sum us / 2)%Q, length ws)); [apply PP|apply PS|]. apply (newton_none _ _ (assumed _ _ T) h Hg vv n (o :: r) GG (sum us) ws PO).
        intros w z PW TZ. destruct (WF w z PW TZ) as (S & _ & _ & [X|[X _]]); [auto|discriminate].
    + assert (UP : Up0 h vv (sumsq GG) pp).
        { destruct (combos_ok _ _ _ CO) as (C & BB). apply (comparison _ _ (proved _ _ T) h Hg vv _ _ C pp BB). rewrite forallb_forall in MD.
          destruct (monomials _ _ (assumed _ _ T) h Hg vv (o :: r) _ ws N MD LP) as [_ UU]. apply (up_eq h Hg vv _ ((sum us / 2)%Q, length ws)); [symmetry; apply PP|symmetry; apply PS|].
          apply (comparison _ _ (proved _ _ T) h Hg vv _ (summono (o :: r)) 1); auto. apply near_all; intro x. rewrite sumsq_terms; lra. }
        destruct zero as [[w [z y]]|]; cbn [best] in E; [|injection E as <-; auto].
        destruct (negb _) in E; injection E as <-; auto. clear UP. rewrite !andb_true_iff in ZR. destruct ZR as [[[[Z2 _] Z1] Z4] Z5]. destruct GG as [|f [|]]; try discriminate.
        destruct (Qeq_bool (sum us) 1 && top_set vv ws (lowest w (o :: r))) eqn:SQ.
        -- apply andb_true_iff in SQ as [SQ Z3].
           apply (newton_zero _ _ (assumed _ _ T) h Hg vv n (o :: r) f (sum us) ws w PO); [apply Qeq_bool_iff; auto|apply pos_point_ok; auto| |eapply signs_ok; eauto].
           intros b Hb La u Hu. apply Qeq_bool_iff. unfold top_set, lowest in Z3. rewrite forallb_forall in Z3. specialize (Z3 b (proj2 (filter_In _ _ _) (conj Hb La))). rewrite forallb_forall in Z3. apply Z3; auto.
        -- cbn [forallb] in D0. apply andb_true_iff in D0 as [D0 _]. assert (LE : forall b, In b (exponents [f]) -> length b = n) by (intros b Hb; apply LN', S2, Hb).
           exact (sign_change _ _ (assumed _ _ T) h Hg vv n f w N D0 LE (pos_point_ok _ _ Z2) (signs_ok _ _ _ _ _ Z5)).
Qed.
End Sound.
