"""Data and modules as people have them, on the lean route: names, files, loaders, mistakes."""

from collections import UserDict
from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.modules import datasets  # noqa: E402
from rlct.sampling.modules import samples as rows  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402

nn, utils = torch.nn, torch.utils.data
FEW = {"method": "sgld", "num_draws": 24, "num_burnin": 24, "num_chains": 2, "progress": False}


class Language(nn.Module):
    """Tokens to logits by name, as in transformers; `form` is how they are returned."""

    def __init__(self, form: str = "output") -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embedding, self.last = nn.Embedding(7, 4), nn.Linear(4, 7)
        self.form = form

    def forward(self, input_ids, attention_mask=None, labels=None):
        """Mean of the tokens so far that are no padding, then a linear layer."""
        assert labels is None
        seen = self.embedding(input_ids)
        if attention_mask is not None:
            seen = seen * attention_mask[..., None]
        logits = self.last(seen.cumsum(-2) / torch.arange(1, seen.shape[-2] + 1)[:, None])
        return {
            "output": SimpleNamespace(logits=logits, hidden_states=(seen,)),
            "mapping": UserDict(hidden=seen, logits=logits),
            "tuple": (logits, (seen,)),
            "pair": (logits, seen),
            "tensor": logits,
        }[self.form]


def tokens(count: int = 40):
    generator = torch.Generator().manual_seed(1)
    return torch.randint(0, 7, (count, 5), generator=generator)


@pytest.mark.parametrize("form", ["output", "mapping", "tuple", "tensor"])
def test_named_inputs_and_the_loss_of_a_language_model(form) -> None:
    """By hand: next tokens, without padding, averaged by sample and then over samples."""
    ids, mask = tokens(), torch.ones(40, 5, dtype=torch.int64)
    mask[::3, 3:] = 0
    net = Language(form)
    held = NetworkLoss(net, {"input_ids": ids, "attention_mask": mask})
    assert held.loss == "next_token"
    logits = Language("tensor")(ids, mask)
    each = nn.functional.cross_entropy(
        logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none"
    ).detach()
    wanted = (each * mask[:, 1:]).sum(1) / mask[:, 1:].sum(1)
    assert torch.allclose(held.start_losses(16)[0], wanted, rtol=1e-5)
    found = rlct.llc(net, {"input_ids": ids, "attention_mask": mask}, **FEW)
    assert np.isfinite(found.lam)


def test_all_forms_of_named_data_are_the_same_samples() -> None:
    """A mapping, a list, a dataset of lists, one that reads many at once, loaders, a stream."""
    ids = tokens()

    class Items(utils.Dataset):
        def __len__(self) -> int:
            return len(ids)

        def __getitem__(self, k: int):
            return {"input_ids": ids[k].tolist(), "labels": ids[k].tolist()}

    class Table:
        """Rows of a table that is no torch dataset."""

        def __len__(self) -> int:
            return len(ids)

        def __getitems__(self, numbers):
            return [{"input_ids": ids[k].tolist()} for k in numbers]

    class Stream(utils.IterableDataset):
        def __iter__(self):
            return iter(Items()[k] for k in range(len(ids)))

    def collate(items):
        return {"input_ids": torch.tensor([item["input_ids"] for item in items])}

    forms = [
        {"input_ids": ids.numpy().astype("uint16")},
        ({"input_ids": ids}, ids),
        list(map(Items().__getitem__, range(len(ids)))),
        Items(),
        Table(),
        utils.DataLoader(Items(), batch_size=8, shuffle=True),
        utils.DataLoader(Items(), batch_size=8, collate_fn=collate),
        Stream(),
        utils.DataLoader(Stream(), batch_size=8),
    ]
    lams = [rlct.llc(Language(), form, batch_size=8, **FEW).lam for form in forms]
    assert lams == [lams[0]] * len(forms)
    assert rlct.llc(Language(), forms[5], **FEW).lam == lams[0], "8 is the batch of the loader"


def test_real_named_inputs_keep_their_numbers_and_take_the_precision_of_the_module() -> None:
    class Sum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 2)

        def forward(self, values, shift, choice):
            return self.layer(values + shift) * choice

    torch.manual_seed(0)
    net = Sum()
    values, shift = torch.randn(20, 3, dtype=torch.float64), torch.randn(20, 1)
    choice, y = torch.rand(20, 2) > 0.5, torch.randn(20, 2)
    named = {"values": values, "shift": shift, "choice": choice, "targets": y}
    out = net(values.float(), shift, choice).detach()
    for dtype in (torch.float32, torch.float64):
        held = NetworkLoss(net, named, dtype=dtype)
        losses = held.start_losses(20)[0]
        assert losses.dtype is dtype
        assert torch.allclose(losses.float(), 0.5 * (out - y).square().sum(1), atol=1e-5)
    assert np.isfinite(rlct.llc(net, named, **FEW).lam)


def test_data_larger_than_memory_are_read_by_rows(tmp_path, monkeypatch) -> None:
    """As if 1 GiB were few bytes: the same λ̂, and never more rows at once than a batch."""
    generator = torch.Generator().manual_seed(0)
    x, y = torch.randn(300, 4, generator=generator), torch.randn(300, 1, generator=generator)
    net = nn.Linear(4, 1)
    wanted = rlct.llc(net, (x, y), batch_size=32, **FEW).lam
    np.save(tmp_path / "x.npy", x.numpy())
    np.save(tmp_path / "y.npy", y.double().numpy())
    mapped = tuple(np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in "xy")
    kept = torch.from_file(str(tmp_path / "raw"), shared=True, size=x.numel()).reshape(x.shape)
    kept.copy_(x)
    read = []

    class Pairs(utils.Dataset):
        def __len__(self) -> int:
            return len(x)

        def __getitem__(self, k: int):
            read.append(k)
            return x[k], y[k]

    monkeypatch.setattr(rows, "HELD_BYTES", 1000)
    for data in (mapped, (kept, y), {"input": x, "labels": y}, Pairs()):
        found = rlct.llc(net, data, batch_size=32, **FEW)
        assert found.lam == pytest.approx(wanted, abs=1e-6)
    held = NetworkLoss(net, Pairs()).samples
    read.clear()
    held.take(torch.arange(3))
    assert read == [0, 1, 2]
    labels = torch.zeros(300, dtype=torch.int64)
    labels[200] = -100
    with pytest.raises(InputError, match="leave out samples whose targets are ignored"):
        rlct.llc(nn.Linear(4, 2), (x, labels), **FEW)
    monkeypatch.setattr(datasets, "HELD_BYTES", 1000)

    class Stream(utils.IterableDataset):
        def __iter__(self):
            return iter(zip(x, y, strict=True))

    with pytest.raises(InputError, match=r"write them to a file and give np.load"):
        rlct.llc(net, Stream(), **FEW)


class Ragged(utils.Dataset):
    def __len__(self) -> int:
        return 9

    def __getitem__(self, k: int):
        return {"input_ids": torch.zeros(3 + k // 8).long()}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"input_ids": tokens(), "labels": tokens() + 1}, "name loss='next_token'"),
        ({"values": torch.zeros(4, 2)}, "none is called labels"),
        ([{"input_ids": [1, 2], "text": "a b"}] * 4, "text holds text: leave it out"),
        (Ragged(), "pad them to one"),
        ({"input_ids": tokens(), "index": torch.arange(40)}, "unexpected keyword argument 'index'"),
        ({"input_ids": tokens(), "labels": tokens(30)}, "40 input_ids and 30 labels"),
        ({"input_ids": tokens()[0]}, "depends on the others of its batch"),
        (utils.DataLoader(Ragged(), collate_fn=lambda items: items[0]["input_ids"]), "collate_fn"),
    ],
)
def test_named_data_that_do_not_fit_have_one_line(data, words) -> None:
    with pytest.raises(InputError, match=words) as caught:
        rlct.llc(Language(), data, **FEW)
    assert "\n" not in str(caught.value)


def test_what_is_returned_must_be_one_tensor() -> None:
    with pytest.raises(InputError, match="returns a tuple, not a tensor: wrap it"):
        rlct.llc(Language("pair"), {"input_ids": tokens()}, **FEW)
    with pytest.raises(InputError, match="needs labels"):
        rlct.llc(nn.Linear(2, 3), (torch.zeros(9, 2), tokens(9)), loss="token", **FEW)


def test_inputs_by_name_are_taken_by_any_kernel() -> None:
    options = {**FEW, "method": "hmc", "num_draws": 6, "seed": 1}
    found = rlct.llc(Language(), {"input_ids": tokens()}, tokens=True, **options)
    assert found.method == "hmc"
    assert found.sample_losses.losses.shape[1] == 6


class Counting(nn.Module):
    """A layer with state: `how` it is kept."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.layer, self.how, self.last = nn.Linear(4, 2), how, None
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        """The layer, and what it keeps."""
        out = self.layer(x)
        if self.how == "buffer":
            self.count += out.mean()
        if self.how == "last":
            before, self.last = self.last, out
            return out if before is None else out + before.mean()
        if self.how == "calls":
            self.calls = getattr(self, "calls", 0) + 1
            return out + self.calls
        return out


class Noisy(nn.Module):
    """A layer whose outputs are not the same twice."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.layer, self.how = nn.Linear(4, 2), how

    def forward(self, x):
        """The layer, with noise."""
        if self.how == "dropout":
            return self.layer(nn.functional.dropout(x, training=True))
        return self.layer(x) + torch.randn(2)


def labelled(row: int, label: int):
    x, y = classes()
    y[row] = label
    return x, y


def classes(count: int = 60):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(count, 4, generator=generator)
    return x, (x[:, 0] > 0).long()


@pytest.mark.parametrize(
    ("module", "data", "options", "words"),
    [
        (
            nn.Linear(4, 2),
            (torch.full((60, 4), torch.nan), classes()[1]),
            {},
            "not a number: check",
        ),
        (nn.Linear(4, 2), classes(), {"batch_size": 61}, "between 1 and the 60 samples, not 61"),
        (nn.Linear(4, 2), classes(), {"batch_size": 0}, "batch_size must be"),
        (nn.Linear(4, 2), classes(2), {}, "name n_beta"),
        (nn.Linear(4, 2), (classes()[0], classes()[1].bool()), {}, r"y.long\(\) for classes"),
        (nn.Linear(4, 2), (classes()[0], classes()[1].float()), {}, r"y.long\(\)"),
        (nn.Linear(4, 1), classes(), {}, "one output for each class"),
        (nn.Linear(4, 2), classes(), {"loss": nn.BCEWithLogitsLoss()}, r"y.float\(\)"),
        (Counting("buffer"), classes(), {}, "changes a buffer of its own in place"),
        (Counting("last"), classes(), {}, "another at each call.* a tensor that it keeps"),
        (Counting("calls"), classes(), {}, "another at each call"),
        (Noisy("dropout"), classes(), {}, "another at each call, as by noise or dropout"),
        (Noisy("noise"), classes(), {}, "another at each call"),
        (
            nn.BatchNorm1d(4, track_running_stats=False),
            classes(),
            {},
            "batch norm has running statistics$",
        ),
        (
            nn.Sequential(nn.Embedding(7, 4, max_norm=1.0), nn.Flatten(), nn.Linear(20, 2)),
            (tokens(60), classes()[1]),
            {},
            "in place, as max_norm",
        ),
        (nn.Embedding(7, 7), (tokens(), tokens()), {}, "pass loss='token', or loss='next_token'"),
        (nn.Linear(4, 2), classes(), {"loss": lambda out, y: out.loss}, "not fit: .*'loss'$"),
        (nn.DataParallel(nn.Linear(4, 2)), classes(), {}, "as model.module of DataParallel"),
        (nn.Linear(4, 2), labelled(5, -1), {}, "classes are whole numbers from 0, fewer"),
        (nn.Linear(4, 2), labelled(50, -1), {}, "classes are whole numbers from 0, fewer"),
        (nn.Linear(4, 2), labelled(50, 2), {}, "classes are whole numbers from 0, fewer"),
        (nn.Linear(4, 2), (classes()[0], torch.eye(2).long()[classes()[1]]), {}, "argmax"),
        (nn.Linear(4, 2), (classes()[0], classes()[1][:, None]), {}, "squeeze"),
        (nn.Linear(4, 2), (classes()[0].int(), classes()[1]), {}, r"x.float\(\)"),
        (nn.Linear(4, 2), (classes()[0] + 1j, classes()[1]), {}, "as real numbers"),
        (nn.Conv1d(4, 2, 1), (classes()[0].int()[..., None], tokens(60)), {}, r"x.float\(\)"),
        (Language(), {"input_ids": tokens() + 3}, {}, "fewer than its rows"),
        (Language(), {"input_ids": tokens(), "labels": tokens(), "label": tokens()}, {}, "leave"),
        (Language(), {"input_ids": tokens()[:0]}, {}, "^the data hold no samples$"),
        (nn.Linear(4, 2), classes(), {"dtype": torch.int32}, "as torch.float64, not torch.int32"),
        (nn.Linear(4, 2), classes(), {"dtype": "long"}, "as torch.float64, not 'long'"),
        (nn.Linear(4, 2), classes(), {"device": "foo"}, "device 'foo' is not there"),
        (nn.Linear(4, 2), classes(), {"device": "cuda:99"}, "device 'cuda:99' is not there"),
        (nn.Linear(4, 2), classes(), {"device": "meta"}, "holds no numbers: name another"),
        (nn.Linear(4, 2), classes(), {"init_loss": "x"}, "finite number, not 'x'"),
        (nn.Linear(4, 2), classes(), {"weights": {"weight": None}}, "of 0 and 1 and the shape"),
        (nn.Linear(4, 2), classes(), {"weights": {"weight": torch.full((2, 4), 0.5)}}, "0 and 1"),
        (nn.Linear(4, 2), classes(), {"weights": 3}, "weights: 3 fits no parameter"),
    ],
)
def test_mistakes_have_one_line_that_names_the_cure(module, data, options, words) -> None:
    with pytest.raises(InputError, match=words) as caught:
        rlct.llc(module, data, **{**FEW, **options})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("layer", [nn.BatchNorm1d(4), nn.Dropout(0.5)])
def test_a_module_that_still_trains_is_taken_as_it_is_used_and_told(layer) -> None:
    """Control: after eval() nothing is said."""
    net = nn.Sequential(layer, nn.Linear(4, 2))
    found = rlct.llc(net, classes(), **FEW)
    assert sum("call module.eval() if that" in words for words in found.warnings) == 1
    assert net.training, "that of the user stays as it is"
    again = rlct.llc(net.eval(), classes(), **FEW)
    assert not any("eval()" in words for words in again.warnings)
    assert again.lam == found.lam


def test_whole_numbers_of_any_width_are_classes_and_places_of_embeddings() -> None:
    ids = tokens()
    data = {"input_ids": ids, "labels": ids}
    narrow = {name: part.to(torch.int32) for name, part in data.items()}
    assert rlct.llc(Language(), narrow, **FEW).lam == rlct.llc(Language(), data, **FEW).lam
    x, y = classes()
    net = nn.Linear(4, 2)
    for kind in (torch.uint8, torch.int16):
        assert rlct.llc(net, (x, y.to(kind)), **FEW).lam == rlct.llc(net, (x, y), **FEW).lam


def test_a_dtype_by_name_and_no_inference_mode() -> None:
    net = nn.Linear(4, 2)
    found = rlct.llc(net, classes(), dtype="float64", **FEW)
    assert found.lam == rlct.llc(net, classes(), dtype=torch.float64, **FEW).lam
    with torch.inference_mode(), pytest.raises(InputError, match="call outside of it"):
        rlct.llc(net, classes(), **FEW)


def test_losses_by_sample_as_a_datatree() -> None:
    """In silence, as warnings are errors here."""
    pytest.importorskip("arviz_base")
    found = rlct.llc(nn.Linear(4, 2), classes(), **FEW)
    held = found.to_datatree()["sample_losses"]["loss"]
    assert held.dims == ("chain", "draw", "sample")
    assert np.array_equal(held.sample, found.sample_losses.rows)


class Attention(nn.Linear):
    """What looks at all the mask, as attention of Hugging Face does."""

    set_attn_implementation = None

    def forward(self, input_ids, attention_mask):
        """Without a mask where it is of ones alone."""
        seen = input_ids if attention_mask.all() else input_ids * attention_mask
        return super().forward(seen)


def test_of_a_mask_that_chooses_a_way_both_cures_are_named() -> None:
    data = {"input_ids": classes()[0], "attention_mask": torch.ones(60, 4), "labels": classes()[1]}
    with pytest.raises(InputError, match=r"'eager'.*does not help.*-1e9 where not"):
        rlct.llc(Attention(4, 2), data, **FEW)


class Recurrent(nn.Module):
    """Dropout, and a layer of which one chain runs after another."""

    def __init__(self) -> None:
        super().__init__()
        self.drop, self.layer, self.last = nn.Dropout(), nn.GRU(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        """Four numbers as two steps of two."""
        return self.last(self.layer(self.drop(x).reshape(-1, 2, 2).transpose(0, 1))[0][-1])


@pytest.mark.parametrize("method", ["sgld", "hmc"])
def test_all_there_is_to_say_stands_in_one_line(method) -> None:
    def stop(share: float, text: str) -> None:
        if share > 0.9:
            raise KeyboardInterrupt

    options = {**FEW, "method": method, "progress": stop, "num_draws": 40}
    found = rlct.llc(Recurrent(), classes(), localization=1000.0, **options)
    (words,) = found.warnings
    assert found.interrupted
    assert "module.eval()" in words
    assert "one after another" in words
    assert f"{found.verdict}: " in words


def test_other_data_are_looked_at_over_the_posterior_of_these(tmp_path) -> None:
    """Linear regression: nβ(E L' − L'(w*)) = ½ tr(nβX'ᵀX'/n' A⁻¹), as A⁻¹ is the covariance."""
    draw = torch.Generator().manual_seed(0)
    x, scale = torch.randn(400, 4, generator=draw), torch.tensor([1.0, 2.0, 0.5, 1.0])
    other = torch.randn(150, 4, generator=draw) * scale
    net = nn.Linear(4, 1, bias=False)
    nn.init.zeros_(net.weight)
    call = {"method": "sgld", "n_beta": 80.0, "num_chains": 16, "num_draws": 800, "lr": 2e-3}
    call |= {"observed": (other, torch.zeros(150, 1)), "batch_size": 400, "progress": False}
    file = tmp_path / "losses.npy"
    found = rlct.llc(net, (x, torch.zeros(400, 1)), traces=file, **call)
    a = 80 * x.T @ x / 400 + torch.eye(4)
    exact = 0.5 * 80 * float(torch.trace(other.T @ other / 150 @ torch.linalg.inv(a)))
    mean, error = found.sample_losses.tempered_mean()
    assert abs(mean - exact) < 4 * error  # false with 0.12 %
    assert abs(found.lam - exact) > 4 * error  # control
    kept = np.load(file, mmap_mode="r")
    assert kept.shape == (16, 100, 150)
    assert np.array_equal(kept, found.sample_losses.losses)
    assert isinstance(found.sample_losses.losses.base, np.memmap | np.ndarray)


@pytest.mark.parametrize(("loss", "count"), [("token", 6), ("next_token", 5)])
def test_losses_of_tokens_average_to_those_of_their_samples(loss, count, tmp_path) -> None:
    """The same seed has the same draws, whether samples or tokens are looked at."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(7, 4), nn.Linear(4, 7))
    x = torch.randint(7, (40, 6))
    call = {"loss": loss, "method": "sgld", "num_draws": 64, "lr": 1e-3, "progress": False}
    whole = rlct.llc(net, (x, x), **call, traces=tmp_path / "samples.npy")
    found = rlct.llc(net, (x, x), **call, traces=tmp_path / "tokens.npy", tokens=True)
    assert found.lam == whole.lam
    kept = np.load(tmp_path / "tokens.npy")
    samples = np.load(tmp_path / "samples.npy")
    assert kept.shape == (*samples.shape, count)
    assert kept.mean(axis=-1) == pytest.approx(samples, abs=1e-5)
    assert np.abs(kept - kept.mean(axis=-1, keepdims=True)).max() > 1e-2  # control: they differ
    losses = found.sample_losses
    assert (losses.samples_total, len(losses.rows)) == (40 * count, samples.shape[-1] * count)
    assert losses.start.reshape(-1, count).mean(axis=1) == pytest.approx(
        whole.sample_losses.start, abs=1e-5
    )
    assert losses.tempered_mean()[0] == pytest.approx(whole.sample_losses.tempered_mean()[0], 1e-3)


@pytest.mark.parametrize(
    ("loss", "label", "words"),
    [("cross_entropy", 1, "with loss='token'"), ("token", -100, "different weight")],
)
def test_tokens_without_losses_of_their_own_are_refused(loss, label, words) -> None:
    x = torch.ones(9, 6, dtype=torch.int64)
    y = x.clone()
    y[0, 0] = label
    net = nn.Sequential(nn.Embedding(7, 4), nn.Linear(4, 7))
    if loss == "cross_entropy":
        net, y = nn.Sequential(*net, nn.Flatten()), y[:, 0]
    with pytest.raises(rlct.InputError, match=words):
        rlct.llc(net, (x, y), loss=loss, method="sgld", tokens=True, progress=False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"traces": "losses.npz", "num_draws": 20}, "ends in .npy"),
        ({"traces": "losses.npy"}, "name num_draws"),
        ({"observed": (torch.zeros(5, 2), torch.zeros(5, 1))}, "differ in shape"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(tmp_path, options, words) -> None:
    if "traces" in options:
        options = {**options, "traces": tmp_path / options["traces"]}
    data = torch.zeros(30, 4), torch.zeros(30, 1)
    with pytest.raises(rlct.InputError, match=words):
        rlct.llc(nn.Linear(4, 1), data, method="sgld", progress=False, **options)
