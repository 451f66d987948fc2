package dev.rowan.formats.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowan.core.kernel.FloatFormat;
import dev.rowan.formats.pytorch.PickleValue.Dict;
import dev.rowan.formats.pytorch.PickleValue.Items;
import dev.rowan.formats.pytorch.PickleValue.Tensor;
import dev.rowan.formats.pytorch.PickleValue.Text;
import dev.rowan.formats.tensor.Dtype;
import dev.rowan.formats.tensor.Strided;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateDictTest {
  private static Tensor tensor() {
    Dtype f32 = Dtype.rows("F32", 32, FloatFormat.F32);
    TorchStorage storage = new TorchStorage("0", f32, 1, 0);
    return new Tensor(
        new TorchTensor(storage, f32, new Strided(0, List.of(1L), List.of(1L)), false));
  }

  private static Dict dict(String key, PickleValue value) {
    Dict dict = new Dict();
    dict.put(new Text(key), value);
    return dict;
  }

  private static Dict with(Dict dict, String key, PickleValue value) {
    dict.put(new Text(key), value);
    return dict;
  }

  @ParameterizedTest
  @ValueSource(strings = {"state_dict", "model_state_dict", "model", "module", "params"})
  void leavesTheNameOfTheWrapperOut(String wrapper) {
    Dict root = dict(wrapper, dict("wte.weight", tensor()));
    assertThat(new StateDict(root).tensors()).containsOnlyKeys("wte.weight");
  }

  @Test
  void keepsTheWholeNameWhereTheShortOneIsTaken() {
    Dict root = dict("model", dict("w", tensor()));
    with(root, "state_dict", dict("w", tensor()));
    assertThat(new StateDict(root).tensors()).containsOnlyKeys("w", "state_dict.w");
  }

  @Test
  void keepsTheNamesOfOtherDictionaries() {
    Dict root = dict("ema", dict("layers", list(tensor(), tensor())));
    assertThat(new StateDict(root).tensors()).containsOnlyKeys("ema.layers.0", "ema.layers.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"optimizer", "optimizer_states", "optim", "lr_schedulers", "rng_state"})
  void leavesOutWhatTrainingKeeps(String name) {
    Dict root = dict("state_dict", dict("w", tensor()));
    with(root, name, list(dict("exp_avg", tensor())));
    StateDict state = new StateDict(root);
    assertThat(state.tensors()).containsOnlyKeys("w");
    assertThat(state.leftOut()).containsExactly(name);
  }

  private static Items list(PickleValue... values) {
    Items items = new Items();
    items.values().addAll(List.of(values));
    return items;
  }

  /** As torch.optim.Optimizer.state_dict names it, wherever it is kept. */
  @Test
  void knowsAnOptimizerByWhatItHolds() {
    Dict optimizer = dict("state", dict("0", dict("exp_avg", tensor())));
    with(optimizer, "param_groups", list());
    Dict root = with(dict("net", dict("w", tensor())), "opt", optimizer);
    StateDict state = new StateDict(root);
    assertThat(state.tensors()).containsOnlyKeys("w");
    assertThat(state.leftOut()).containsExactly("opt");
  }

  @Test
  void knowsAnOptimizerByItsNumberedStates() {
    Dict states = new Dict();
    states.put(new PickleValue.Whole(0), dict("exp_avg", tensor()));
    Dict root = with(dict("w", tensor()), "opt", dict("state", states));
    assertThat(new StateDict(root).tensors()).containsOnlyKeys("w");
    Dict model = with(dict("w", tensor()), "state", dict("0.weight", tensor()));
    assertThat(new StateDict(model).tensors()).containsOnlyKeys("w", "state.0.weight");
  }
}
