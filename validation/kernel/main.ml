(* Reads documents in JSON, one a line, and prints a verdict and the question that was read. *)
open Kernel

type json = Null | Bool of bool | Int of string | Text of string | List of json list | Object of (string * json) list

let fail () = failwith "refused"

let parse s =
  let at = ref 0 in
  let peek () = if !at < String.length s then s.[!at] else '\000' in
  let rec blank () = if peek () <> '\000' && String.contains " \t\r\n" (peek ()) then (incr at; blank ()) in
  let expect c = blank (); if peek () = c then incr at else fail () in
  let word w v = if !at + String.length w <= String.length s && String.sub s !at (String.length w) = w then (at := !at + String.length w; v) else fail () in
  let text () =
    expect '"';
    let start = !at in
    while peek () <> '"' do if peek () = '\000' || peek () = '\\' then fail (); incr at done;
    incr at;
    String.sub s start (!at - start - 1) in
  let items close read = blank ();
    if peek () = close then (incr at; []) else
      let rec next acc = let acc = read () :: acc in blank ();
        if peek () = ',' then (incr at; next acc) else (expect close; List.rev acc) in next [] in
  let rec value () = blank (); match peek () with
    | '{' -> incr at; Object (items '}' (fun () -> blank (); let k = text () in expect ':'; (k, value ())))
    | '[' -> incr at; List (items ']' value)
    | '"' -> Text (text ())
    | 'n' -> word "null" Null | 't' -> word "true" (Bool true) | 'f' -> word "false" (Bool false)
    | _ -> let start = !at in
      while (peek () >= '0' && peek () <= '9') || peek () = '-' do incr at done;
      if peek () = '.' || peek () = 'e' || peek () = 'E' || start = !at then fail ();
      Int (String.sub s start (!at - start)) in
  let v = value () in
  blank (); if !at <> String.length s then fail (); v

let get k = function Object l -> (try List.assoc k (List.rev l) with Not_found -> fail ()) | _ -> fail ()
let list f = function List l -> List.map f l | _ -> fail ()
let pair f g = function List [a; b] -> (f a, g b) | _ -> fail ()
let optional f = function Null -> None | v -> Some (f v)
let boolean = function Bool b -> b | _ -> fail ()

(* Decimal text to binary numbers of any length. *)
let halved d =
  let b = Bytes.of_string d and carry = ref 0 in
  Bytes.iteri (fun i c -> let v = !carry * 10 + Char.code c - 48 in Bytes.set b i (Char.chr (v / 2 + 48)); carry := v mod 2) b;
  let k = ref 0 in
  while !k < Bytes.length b - 1 && Bytes.get b !k = '0' do incr k done;
  Bytes.sub_string b !k (Bytes.length b - !k), !carry
let rec positive d = if d = "1" then XH else let h, r = halved d in if h = "0" then fail () else if r = 1 then XI (positive h) else XO (positive h)
let digits d = d <> "" && String.for_all (fun c -> c >= '0' && c <= '9') d
let trimmed d = let k = ref 0 in while !k < String.length d - 1 && d.[!k] = '0' do incr k done; String.sub d !k (String.length d - !k)
let integer d =
  let negative = d <> "" && d.[0] = '-' in
  let size = if negative then String.sub d 1 (String.length d - 1) else d in
  if not (digits size) then fail ();
  match trimmed size with "0" -> Z0 | m -> if negative then Zneg (positive m) else Zpos (positive m)
let rational = function
  | Text t -> (match String.split_on_char '/' t with
    | [a] -> { qnum = integer a; qden = XH }
    | [a; b] when digits b && trimmed b <> "0" -> { qnum = integer a; qden = positive (trimmed b) }
    | _ -> fail ())
  | _ -> fail ()
let most = 100000 (* an exponent above is refused: it would only be slow *)
let natural = function
  | Int d -> let n = try int_of_string d with _ -> fail () in
    if n < 0 || n > most then fail () else
      let rec up acc n = if n = 0 then acc else up (S acc) (n - 1) in up O n
  | _ -> fail ()

let row = list rational
let rows = list row
let poly = function List l ->
    List.fold_left (fun p t -> match t with
      | List [c; m] -> let c = rational c and m = list natural m in if c.qnum = Z0 then p else padd p [ (m, c) ]
      | _ -> fail ()) [] l
  | _ -> fail ()
let polys = list poly
let has k = function Object l -> List.mem_assoc k l | _ -> false
let one = function List [v] -> v | _ -> fail ()
let rec tree v =
  if has "closed" v then Dead (row (get "closed" v))
  else if has "branches" v then (match get "branches" v with List [a; b; c] -> Cmp (tree a, tree b, tree c) | _ -> fail ())
  else Leaf { slopes = boolean (get "derivatives" v); factors = polys (get "factors" v); form = poly (one (get "form" v)) }
let signs = function List [w; z; y] -> (row w, (row z, row y)) | _ -> fail ()
let programme = function List [w; i; c; List [m]] -> (rows w, row m, rows i, rows c) | _ -> fail ()
let rec cert v =
  let under () = cert (get "of" v) and two () = pair cert cert (get "of" v) in
  match get "rule" v with
  | Text "squares" -> let numbers = row (get "numbers" v) and roots = polys (get "roots" v) in
    if List.length numbers <> List.length roots then fail (); Squares (List.combine numbers roots, under ())
  | Text "sum" -> let a, b = pair (list natural) (list natural) (get "variables" v) and c, d = two () in Sum (a, b, c, d)
  | Text "monomial" -> let w, m, i, c = programme (get "programme" v) in Monomial (w, m, i, c)
  | Text "coordinates" -> Coordinates (list natural (get "variables" v), polys (get "images" v), rows (get "inverse" v), polys (get "generators" v), under ())
  | Text "newton" -> let w, m, i, c = programme (get "programme" v) in
    Newton (list (list natural) (get "order" v), boolean (get "smooth" v), boolean (get "free" v), w, m, i, c, tree (get "tree" v), optional signs (get "signs" v))
  | _ -> fail ()
let fields = ["generators"; "kind"; "nonneg"; "point"; "powers"; "prior"; "variables"]
let question v =
  (match v with Object l when List.sort_uniq compare (List.map fst l) = fields -> () | _ -> fail ());
  if List.for_all ((=) []) (polys (get "generators" v)) then fail (); (* K = 0 has no λ *)
  let kind = match get "kind" v with Text "ideal" -> true | Text "K" -> false | _ -> fail () in
  { ideal = kind; generators = polys (get "generators" v); prior = row (get "prior" v); point = row (get "point" v);
    walls = list boolean (get "nonneg" v); powers = list natural (get "powers" v) }
let ends = optional (pair rational natural)
let claim v =
  let low, high = pair ends ends (get "claim" v) in
  { asked = question (get "question" v); proof = cert (get "proof" v); lower = low; upper = high }

(* The question, from what was read, not from the text. *)
let rec number = function XH -> [1] | XO p -> double 0 (number p) | XI p -> double 1 (number p)
and double carry = function [] -> if carry > 0 then [carry] else [] | d :: r -> (2 * d + carry) mod 10 :: double ((2 * d + carry) / 10) r
let decimal p = String.concat "" (List.rev_map string_of_int (number p))
let fraction { qnum; qden } = let top = match qnum with Z0 -> "0" | Zpos p -> decimal p | Zneg p -> "-" ^ decimal p in
  if qden = XH then top else top ^ "/" ^ decimal qden
let rec size = function O -> 0 | S n -> 1 + size n
let shown_list f l = "[" ^ String.concat ", " (List.map f l) ^ "]"
let shown q = Printf.sprintf "%s of %s, density exponents %s, at %s, walls %s, powers %s" (if q.ideal then "ideal" else "K")
  (shown_list (shown_list (fun (m, c) -> fraction c ^ " x^" ^ shown_list (fun e -> string_of_int (size e)) m)) q.generators)
  (shown_list fraction q.prior) (shown_list fraction q.point) (shown_list string_of_bool q.walls) (shown_list (fun e -> string_of_int (size e)) q.powers)
let words = function Exact -> "exact" | BothEnds -> "both ends" | LowerEnd -> "lower end alone" | UpperEnd -> "upper end alone" | Refused -> "refused"
let () = try while true do
    let line = input_line stdin in
    (match claim (parse line) with
     | c -> Printf.printf "%s\t%s\n%!" (words (run c)) (shown c.asked)
     | exception (Failure _ | Stack_overflow) -> print_endline "refused\t")
  done with End_of_file -> ()
