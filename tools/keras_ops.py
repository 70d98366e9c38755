"""What each Keras layer is in Mantissa's ops: one function a layer, tabled in LAYERS.

A fused activation becomes a node of its own, a separable convolution two, a global pooling a pooling
over the whole plane and a reshape. What the ops cannot say exactly is refused with the layer's name.
"""
from keras_file import Refused, policy

# Configuration name -> op and its parameters. Keras' gelu is the exact one; leaky_relu's slope is 0.2 as a function.
ACTIVATIONS = {
    "relu": ("relu", {}), "relu6": ("relu6", {}), "elu": ("elu", {}), "selu": ("selu", {}), "gelu": ("gelu", {}),
    "sigmoid": ("sigmoid", {}), "tanh": ("tanh", {}), "softplus": ("softplus", {}), "softmax": ("softmax", {}),
    "leaky_relu": ("leaky_relu", {"alpha": 0.2}),
}


class Value:
    """A node's output while converting: its id and shape (shape[0] is the batch, None)."""

    def __init__(self, ident, shape):
        self.id, self.shape = ident, tuple(shape)


def pair(value):
    """An integer or a list of two, as a list of two."""
    return [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)] * 2


def compact(params, **defaults):
    """Adds the parameters that differ from the record's defaults."""
    params.update((k, v) for k, (v, default) in defaults.items() if v != default)
    return params


class Builder:
    """Adds the nodes of layers to a model. weight: the combo's storage dtype of weights."""

    def __init__(self, model, weight, dialect_is_layered=True):
        self.model, self.weight, self.layered = model, weight, dialect_is_layered
        self.pads = {}  # node id -> pads of a ZeroPadding2D that waits for its convolution

    def refuse(self, call, why):
        raise Refused("layer %s (%s): %s" % (call.name, call.kind, why))

    def put(self, call, op, suffix, sources, params, weights=None, compute=None):
        """A node named after the layer; weights: parameter -> (Keras' name, (array, dtype))."""
        slots = {}
        for key, (name, (array, dtype)) in (weights or {}).items():
            params[key] = self.model.tensor("%s/%s" % (call.layer, name), array, dtype)
            if dtype != self.weight:
                slots["weight"] = dtype
        ports = ["input", "other"][:len(sources)]
        compute = compute or policy(call.config.get("dtype"), "layer " + call.name)[0]
        return self.model.node(op, call.name + ("/" + suffix if suffix else ""), params,
                               zip(ports, (s.id for s in sources)), slots, compute if self.layered else None)

    def activate(self, call, value, name=None, suffix=None):
        """The activation that a layer has inside, as a node of its own."""
        name = name or call.config.get("activation") or "linear"
        if name == "linear":
            return value
        if not isinstance(name, str) or name not in ACTIVATIONS:
            self.refuse(call, "activation %r has no op here" % (name,))
        op, params = ACTIVATIONS[name]
        ident = self.put(call, op, name if suffix is None else suffix, [value], dict(params))
        return Value(ident, value.shape)

    def result(self, value):
        """The id of a value that leaves the model."""
        if value.id in self.pads:
            raise Refused("layer %s (ZeroPadding2D): is an output; it can only be folded into a convolution"
                          % self.model.nodes[value.id - 1]["name"])
        return value.id

    def layer(self, call, values):
        if call.kind not in LAYERS:
            self.refuse(call, "no op here expresses this layer")
        for v in values:
            if v.id in self.pads and "Conv2D" not in call.kind:
                self.refuse(call, "ZeroPadding2D before it can only be folded into a convolution")
        return LAYERS[call.kind](self, call, call.config, values)


# --- contractions --------------------------------------------------------------------------------

def plane(call, shape, data_format):
    """(height, width, channels) of an image batch."""
    if len(shape) != 4:
        raise Refused("layer %s (%s): needs a batch of images, got shape %s" % (call.name, call.kind, list(shape)))
    return (shape[2], shape[3], shape[1]) if data_format == "channels_first" else (shape[1], shape[2], shape[3])


def image(data_format, height, width, channels):
    return (None, channels, height, width) if data_format == "channels_first" else (None, height, width, channels)


def extent(size, kernel, stride, dilation, padding, pads):
    if size is None:
        return None
    return -(-size // stride) if padding == "same" else (size + pads - (kernel - 1) * dilation - 1) // stride + 1


def convolution(b, call, cfg, x, kernel, suffix, groups, bias, plain=False):
    """One conv2d node. plain: a 1x1 step without the layer's strides, padding and dilation."""
    form = cfg.get("data_format") or "channels_last"
    h, w, _ = plane(call, x.shape, form)
    kh, kw, _, filters = kernel[1][0].shape
    strides, dilation = (([1, 1], [1, 1]) if plain else (pair(cfg["strides"]), pair(cfg.get("dilation_rate", 1))))
    padding, pads = ("valid", [0, 0, 0, 0]) if plain else (cfg["padding"], b.pads.pop(x.id, [0, 0, 0, 0]))
    if padding not in ("valid", "same"):
        b.refuse(call, "padding %r" % padding)
    if any(pads):
        if padding != "valid":
            b.refuse(call, "ZeroPadding2D before it can only be folded into padding 'valid'")
        padding = "explicit"
    params = compact({"filters": int(filters), "kernel_size": [int(kh), int(kw)]}, strides=(strides, [1, 1]),
                     dilation=(dilation, [1, 1]), padding=(padding, "valid"), pads=(pads, [0, 0, 0, 0]),
                     groups=(int(groups), 1), data_format=(form, "channels_last"), use_bias=(bias is not None, True))
    weights = {"weight": kernel}
    if bias is not None:
        weights["bias"] = ("bias", bias)
    ident = b.put(call, "conv2d", suffix, [x], params, weights)
    return Value(ident, image(form, extent(h, kh, strides[0], dilation[0], padding, pads[0] + pads[2]),
                              extent(w, kw, strides[1], dilation[1], padding, pads[1] + pads[3]), int(filters)))


def weights_of(b, call, count):
    if len(call.weights) != count:
        b.refuse(call, "the file holds %d weights for it, %d were expected" % (len(call.weights), count))
    return call.weights


def conv2d(b, call, cfg, xs):
    w = weights_of(b, call, 2 if cfg["use_bias"] else 1)
    y = convolution(b, call, cfg, xs[0], ("kernel", w[0]), "", cfg.get("groups", 1), w[1] if cfg["use_bias"] else None)
    return b.activate(call, y)


def as_grouped(weight):
    """A depthwise kernel [kh, kw, C, M] as a grouped one [kh, kw, 1, C M]: the same bytes."""
    array, dtype = weight
    kh, kw, c, m = array.shape
    return (array.reshape(kh, kw, 1, c * m), dtype), c


def depthwise(b, call, cfg, xs):
    w = weights_of(b, call, 2 if cfg["use_bias"] else 1)
    kernel, channels = as_grouped(w[0])
    y = convolution(b, call, cfg, xs[0], ("kernel", kernel), "", channels, w[1] if cfg["use_bias"] else None)
    return b.activate(call, y)


def separable(b, call, cfg, xs):
    w = weights_of(b, call, 3 if cfg["use_bias"] else 2)
    kernel, channels = as_grouped(w[0])
    y = convolution(b, call, cfg, xs[0], ("depthwise_kernel", kernel), "depthwise", channels, None)
    y = convolution(b, call, cfg, y, ("pointwise_kernel", w[1]), "", 1, w[2] if cfg["use_bias"] else None, plain=True)
    return b.activate(call, y)


def dense(b, call, cfg, xs):
    w = weights_of(b, call, 2 if cfg["use_bias"] else 1)
    units = int(w[0][0].shape[1])
    weights = {"weight": ("kernel", w[0])}
    if cfg["use_bias"]:
        weights["bias"] = ("bias", w[1])
    params = compact({"units": units}, use_bias=(bool(cfg["use_bias"]), True))
    ident = b.put(call, "dense", "", xs, params, weights)
    return b.activate(call, Value(ident, xs[0].shape[:-1] + (units,)))


# --- pooling, normalisation, shape ---------------------------------------------------------------

def pooling(op):
    def build(b, call, cfg, xs):
        form = cfg.get("data_format") or "channels_last"
        h, w, c = plane(call, xs[0].shape, form)
        size = pair(cfg["pool_size"])
        strides = pair(cfg.get("strides") or size)
        params = compact({"pool_size": size}, strides=(strides, size), padding=(cfg["padding"], "valid"),
                         data_format=(form, "channels_last"))
        ident = b.put(call, op, "", xs, params)
        out = [extent(n, k, s, 1, cfg["padding"], 0) for n, k, s in zip((h, w), size, strides)]
        return Value(ident, image(form, out[0], out[1], c))
    return build


def global_pooling(op):
    def build(b, call, cfg, xs):
        form = cfg.get("data_format") or "channels_last"
        h, w, c = plane(call, xs[0].shape, form)
        if h is None or w is None:
            b.refuse(call, "the size of its image is not in the file")
        keep = cfg.get("keepdims", False)
        params = compact({"pool_size": [h, w]}, data_format=(form, "channels_last"))
        ident = b.put(call, op, "" if keep else "plane", xs, params)
        y = Value(ident, image(form, 1, 1, c))
        return y if keep else Value(b.put(call, "reshape", "", [y], {"shape": [0, c]}), (None, c))
    return build


def batch_normalization(b, call, cfg, xs):
    rank = len(xs[0].shape)
    axis = cfg.get("axis", -1)
    axis = [axis] if not isinstance(axis, (list, tuple)) else axis
    if len(axis) != 1:
        b.refuse(call, "axis %s: only one axis is known" % list(axis))
    axis = axis[0] % rank
    names = [n for n, used in (("gamma", cfg["scale"]), ("beta", cfg["center"])) if used]
    names += ["moving_mean", "moving_variance"]
    ports = {"gamma": "scale", "beta": "offset", "moving_mean": "mean", "moving_variance": "variance"}
    weights = {ports[n]: (n, w) for n, w in zip(names, weights_of(b, call, len(names)))}
    params = compact({"epsilon": float(cfg["epsilon"])}, axis=(-1 if axis == rank - 1 else axis, -1),
                     use_scale=(bool(cfg["scale"]), True), use_offset=(bool(cfg["center"]), True))
    return Value(b.put(call, "batch_normalization", "", xs, params, weights), xs[0].shape)


def flatten(b, call, cfg, xs):
    params = compact({}, data_format=(cfg.get("data_format") or "channels_last", "channels_last"))
    return Value(b.put(call, "flatten", "", xs, params), (None, count(xs[0].shape[1:])))


def count(shape):
    """Elements of a shape; None where a dimension is not known."""
    total = 1
    for n in shape:
        total = None if n is None or total is None else total * n
    return total


def reshape(b, call, cfg, xs):
    target = [int(n) for n in cfg["target_shape"]]
    shape = tuple(target)
    if -1 in target:
        whole, known = count(xs[0].shape[1:]), count(n for n in target if n != -1)
        shape = tuple((whole // known if whole is not None else None) if n == -1 else n for n in target)
    if None in shape:
        b.refuse(call, "the size of its input is not in the file")
    return Value(b.put(call, "reshape", "", xs, {"shape": [0] + list(shape)}), (None,) + shape)


def zero_padding(b, call, cfg, xs):
    """An identity node that keeps the layer's dtype; its pads go into the convolution after it."""
    p = cfg["padding"]
    sides = [pair(v) for v in (p if isinstance(p, (list, tuple)) else [p, p])]
    h, w, c = plane(call, xs[0].shape, cfg.get("data_format") or "channels_last")
    ident = b.put(call, "identity", "", xs, {})
    b.pads[ident] = [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]
    return Value(ident, xs[0].shape)


# --- elementwise ---------------------------------------------------------------------------------

def activation(b, call, cfg, xs):
    name = cfg.get("activation") or "linear"
    if name == "linear":
        return Value(b.put(call, "identity", "", xs, {}), xs[0].shape)
    return b.activate(call, xs[0], name, suffix="")


def relu(b, call, cfg, xs):
    top, slope, threshold = cfg.get("max_value"), float(cfg.get("negative_slope") or 0), cfg.get("threshold") or 0
    if threshold or (top is not None and (float(top) != 6 or slope)):
        b.refuse(call, "max_value %s, negative_slope %s, threshold %s: relu, relu6 and leaky_relu are known"
                 % (top, slope, threshold))
    op, params = ("relu6", {}) if top is not None else ("leaky_relu", {"alpha": slope}) if slope else ("relu", {})
    return Value(b.put(call, op, "", xs, params), xs[0].shape)


def simple(op, *arguments):
    """A layer that is one node of the same shape; arguments: (parameter, Keras' names for it, how to read it)."""
    def build(b, call, cfg, xs):
        params = {}
        for key, names, read in arguments:
            value = next(cfg[n] for n in names if n in cfg)
            if isinstance(value, (dict, list, tuple)):
                b.refuse(call, "%s = %s: one number is known" % (key, value))
            params[key] = read(value)
        return Value(b.put(call, op, "", xs, params), xs[0].shape)
    return build


def broadcast(a, b):
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b)
    return tuple(None if m is None or n is None else max(m, n) for m, n in pairs)


def add(b, call, cfg, xs):
    """n operands are a chain of n - 1 additions, in their order."""
    if len(xs) < 2:
        b.refuse(call, "%d operand that is a tensor; two or more are needed" % len(xs))
    y = xs[0]
    for i, x in enumerate(xs[1:], 1):
        y = Value(b.put(call, "add", "" if i == len(xs) - 1 else str(i), [y, x], {}), broadcast(y.shape, x.shape))
    return y


def operator(b, call, cfg, xs):
    if cfg.get("function") not in ("__operators__.add", "math.add"):
        b.refuse(call, "function %s has no op here" % cfg.get("function"))
    return add(b, call, cfg, xs)


LAYERS = {
    "Conv2D": conv2d, "DepthwiseConv2D": depthwise, "SeparableConv2D": separable, "Dense": dense,
    "MaxPooling2D": pooling("max_pooling2d"), "AveragePooling2D": pooling("average_pooling2d"),
    "GlobalMaxPooling2D": global_pooling("max_pooling2d"),
    "GlobalAveragePooling2D": global_pooling("average_pooling2d"),
    "BatchNormalization": batch_normalization, "Flatten": flatten, "Reshape": reshape,
    "ZeroPadding2D": zero_padding, "Activation": activation, "ReLU": relu,
    "LeakyReLU": simple("leaky_relu", ("alpha", ("negative_slope", "alpha"), float)),
    "ELU": simple("elu", ("alpha", ("alpha",), float)),
    "Softmax": simple("softmax", ("axis", ("axis",), int)),
    "Dropout": simple("dropout", ("rate", ("rate",), float)),
    "Add": add, "TFOpLambda": operator,
}
