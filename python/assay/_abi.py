"""Structures, constants and functions of libassay.

Made by python/generate.py: do not edit."""

from ctypes import (CFUNCTYPE, Structure, Union, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64,
                    c_void_p)

ASSAY_OK = 0; ASSAY_ERR_INTERNAL = -1; ASSAY_ERR_CANCELLED = -2; ASSAY_ERR_UNKNOWN = -10; ASSAY_ERR_AMBIGUOUS = -11; ASSAY_ERR_VERSION = -12
ASSAY_ERR_EMPTY = -13; ASSAY_ERR_DAMAGED = -20; ASSAY_ERR_TRUNCATED = -21; ASSAY_ERR_LIMIT = -30; ASSAY_ERR_USAGE = -40; ASSAY_ERR_UNSUPPORTED = -41
ASSAY_ERR_SYSTEM = -50; ASSAY_ERR_MEMORY = -60; ASSAY_ERR_WRITE = -70; ASSAY_ERR_LOSS = -71; ASSAY_INFO = 0; ASSAY_WARNING = 1; ASSAY_ERROR = 2
ASSAY_HINT_NONE = 0; ASSAY_HINT_FORMAT = 1; ASSAY_HINT_MAX_MEMORY = 2; ASSAY_HINT_MAX_OUTPUT = 3; ASSAY_HINT_ESTIMATE = 4; ASSAY_HINT_VIEW = 5
ASSAY_HINT_FUNCTION = 6; ASSAY_HINT_DIFF = 7; ASSAY_HINT_WORKTREE = 8; ASSAY_HINT_MAX_STRING = 9; ASSAY_HINT_FORCE = 10; ASSAY_HINT_MAP = 11
ASSAY_FUNC_BY_PLACE = 2147483648; ASSAY_FUNC_PLAIN = 0; ASSAY_FUNC_INTERNAL = 1; ASSAY_FUNC_OPCODE = 2; ASSAY_FUNC_PLACEHOLDER = 3; ASSAY_U64 = 0
ASSAY_I64 = 1; ASSAY_F64 = 2; ASSAY_METRIC_FLOW = 0; ASSAY_METRIC_LEVEL = 1; ASSAY_SCOPE_POINT = 0; ASSAY_SCOPE_FUNCTION = 1
ASSAY_SCOPE_LEX_AWARE = 2; ASSAY_SCOPE_EXECUTION = 3; ASSAY_SCOPE_CUSTOM = 4; ASSAY_COMBINE_SUM = 0; ASSAY_COMBINE_MIN = 1; ASSAY_COMBINE_MAX = 2
ASSAY_SHAPE_TREE = 1; ASSAY_SHAPE_GRAPH = 2; ASSAY_SHAPE_LINES = 4; ASSAY_SHAPE_TIMELINE = 8; ASSAY_SHAPE_COVERAGE = 16; ASSAY_SHAPE_LABELS = 32
ASSAY_NODE_FUNCTION = 0; ASSAY_NODE_ENTRY = 1; ASSAY_NODE_INLINED = 2; ASSAY_NODE_LOOP = 3; ASSAY_NODE_LINE = 4; ASSAY_NODE_INSTRUCTION = 5
ASSAY_NODE_OTHER = 6; ASSAY_RELATION_LEXICAL = 0; ASSAY_RELATION_CALL = 1; ASSAY_RELATION_INLINED_CALL = 2; ASSAY_RELATION_OTHER = 3
ASSAY_NODE_NO_PLACE = 1; ASSAY_NODE_CALL_UNKNOWN = 2; ASSAY_LEVEL_LINE = 0; ASSAY_LEVEL_BLOCK = 1; ASSAY_LEVEL_SUB = 2; ASSAY_LABEL_TEXT = 0
ASSAY_LABEL_INTEGER = 1; ASSAY_LABEL_DOUBLE = 2; ASSAY_LABEL_BOOLEAN = 3; ASSAY_COVERAGE_ONLY_HIT = 1; ASSAY_COVERAGE_PARTIAL = 2
ASSAY_COVERAGE_EXCLUDED = 4; ASSAY_COVERAGE_NONCODE = 8; ASSAY_COVERAGE_UNEXECUTED_BLOCK = 16; ASSAY_COVERAGE_UNKNOWN = 32
ASSAY_COVERAGE_BRANCH_NOT_EVALUATED = 1; ASSAY_COVERAGE_BRANCH_EXCEPTION = 2; ASSAY_COVERAGE_BRANCH_FALLTHROUGH = 4
ASSAY_COVERAGE_BRANCH_UNREACHABLE = 8; ASSAY_COVERAGE_BRANCH_EXCLUDED = 16; ASSAY_COVERAGE_AT_LEAST = 1; ASSAY_REGION_CODE = 0
ASSAY_REGION_STATEMENT = 1; ASSAY_REGION_BLOCK = 2; ASSAY_REGION_GAP = 3; ASSAY_REGION_SKIPPED = 4; ASSAY_REGION_OTHER = 5; ASSAY_WANT_SUMS = 1
ASSAY_WANT_ARCS = 2; ASSAY_WANT_COSTS = 4; ASSAY_WANT_TREE = 8; ASSAY_WANT_WHOLE = 16; ASSAY_WANT_LINES = 32; ASSAY_WANT_TIMELINE = 64
ASSAY_WANT_COVERAGE = 128; ASSAY_WANT_COUNTS = 256; ASSAY_WANT_TOTALS = 512; ASSAY_WANT_PAIRS = 1024; ASSAY_WANT_EITHER = 2048
ASSAY_WANT_COARSE = 4096; ASSAY_WANT_LABELS = 16384; ASSAY_WANT_SPARSE = 8192; ASSAY_WANT_GRAPH = 7; ASSAY_WANT_INFO = 929; ASSAY_WANT_ALL = 16895
ASSAY_CAN_READ = 1; ASSAY_CAN_CHECK = 2; ASSAY_CAN_DUMP = 4; ASSAY_CAN_WRITE = 8; ASSAY_CAN_REWRITE = 16; ASSAY_HAS_METRICS = 1
ASSAY_HAS_MODULES = 2; ASSAY_HAS_COST_LINES = 4; ASSAY_HAS_CALL_LINES = 8; ASSAY_HAS_ADDRESSES = 16; ASSAY_HAS_JUMPS = 32; ASSAY_HAS_STREAMS = 64
ASSAY_HAS_64_BITS = 128; ASSAY_HAS_NEGATIVE = 256; ASSAY_HAS_FRACTIONS = 512; ASSAY_HAS_ENTRIES = 1024; ASSAY_HAS_FORMULAS = 2048
ASSAY_HAS_SOURCES = 4096; ASSAY_HAS_FILES = 8192; ASSAY_HAS_MARKERS = 16384; ASSAY_OPTION_FLAG = 0; ASSAY_OPTION_FORM = 1; ASSAY_OPTION_NUMBER = 2
ASSAY_OPTION_SIZE = 3; ASSAY_OPTION_WORD = 4; ASSAY_OPTION_PERCENT = 5; ASSAY_OPTION_TEXT = 6; ASSAY_OPTION_PATH = 7; ASSAY_OPTION_FORMAT = 8
ASSAY_OPTION_TARGET = 9; ASSAY_OPTION_LIST = 10; ASSAY_OPTION_MAP = 11; ASSAY_OPTION_PAIR = 12; ASSAY_FOR_READING = 0; ASSAY_FOR_WRITING = 1
ASSAY_INPUT_PATH = 0; ASSAY_INPUT_MEMORY = 1; ASSAY_INPUT_FD = 2; ASSAY_INPUT_FN = 3; ASSAY_MARKS_LCOV = 1; ASSAY_MARKS_GCOV = 2
ASSAY_MARKS_GCOVR = 4; ASSAY_MARKS_GRCOV = 8; ASSAY_MARKS_PYTHON = 16; ASSAY_MARKS_JAVASCRIPT = 32; ASSAY_MARKS_PHP = 64; ASSAY_MARKS_RUBY = 128
ASSAY_MARKS_DART = 256; ASSAY_MARKS_ALL = 511; ASSAY_SORT_SELF = 0; ASSAY_SORT_TOTAL = 1; ASSAY_SORT_CALLS = 2; ASSAY_SORT_NAME = 3
ASSAY_TABLE_BY_FUNCTION = 0; ASSAY_TABLE_BY_FILE = 1; ASSAY_TABLE_BY_DIRECTORY = 2; ASSAY_TABLE_BY_MODULE = 3; ASSAY_TABLE_BY_LINE = 4
ASSAY_TABLE_BY_CLASS = 5; ASSAY_TABLE_BY_ADDRESS = 6; ASSAY_LINE_COVERED = 0; ASSAY_LINE_MISSING = 1; ASSAY_LINE_PARTIAL = 2; ASSAY_UNC = 0
ASSAY_LBC = 1; ASSAY_UIC = 2; ASSAY_UBC = 3; ASSAY_GBC = 4; ASSAY_GIC = 5; ASSAY_GNC = 6; ASSAY_CBC = 7; ASSAY_EUB = 8; ASSAY_ECB = 9; ASSAY_DUB = 10
ASSAY_DCB = 11; ASSAY_CATEGORIES = 12; ASSAY_DIFF_CHANGED = 0; ASSAY_DIFF_NEW = 1; ASSAY_DIFF_GONE = 2; ASSAY_DIFF_BY_FUNCTION = 0
ASSAY_DIFF_BY_LINE = 1; ASSAY_DIFF_BY_CONTEXT = 2; ASSAY_ANNOTATE_NONE = 0; ASSAY_ANNOTATE_HIT = 1; ASSAY_ANNOTATE_PARTIAL = 2
ASSAY_ANNOTATE_MISSED = 3; ASSAY_ANNOTATE_EXCLUDED = 4; ASSAY_ANNOTATE_UNKNOWN = 5; ASSAY_CALLERS_SORT_TOTAL = 0; ASSAY_CALLERS_SORT_CALLS = 1
ASSAY_CALLERS_SORT_NAME = 2; ASSAY_CALLERS_RECURSION = 1; ASSAY_CALLERS_INSIDE = 2; ASSAY_COVERAGE_BY_FILE = 0; ASSAY_COVERAGE_BY_DIRECTORY = 1
ASSAY_COVERAGE_SORT_LINES = 0; ASSAY_COVERAGE_SORT_FUNCTIONS = 1; ASSAY_COVERAGE_SORT_BRANCHES = 2; ASSAY_COVERAGE_SORT_MISSED = 3
ASSAY_COVERAGE_SORT_NAME = 4; ASSAY_COVERAGE_COMPARED = 3; ASSAY_RECURSION_KEEP = 0; ASSAY_RECURSION_NO_DIRECT = 1; ASSAY_RECURSION_NONE = 2
ASSAY_CELL_NULL = 0; ASSAY_CELL_INTEGER = 1; ASSAY_CELL_REAL = 2; ASSAY_CELL_TEXT = 3; ASSAY_CELL_BLOB = 4; ASSAY_ROWS_TABLE = 0; ASSAY_ROWS_CSV = 1
ASSAY_ROWS_JSON = 2; ASSAY_ROWS_JSONL = 3; ASSAY_ROWS_MARKDOWN = 4; ASSAY_STORE_PATH_MAX = 4096; ASSAY_STORE_NAME_MAX = 1024
ASSAY_STORE_ID_TEXT = 41; ASSAY_STORE_MADE = 0; ASSAY_STORE_REMADE = 1; ASSAY_STORE_EXISTS = 2; ASSAY_STORE_NO_WORKTREE = 3
ASSAY_STORE_NO_BRANCH = 4; ASSAY_STORE_BRANCH = 0; ASSAY_STORE_TAG = 1; ASSAY_STORE_SWITCH = 0; ASSAY_STORE_DETACH = 1; ASSAY_STORE_START = 2
ASSAY_STORE_ORPHAN = 3; ASSAY_STORE_MODULE = 0; ASSAY_STORE_FOLDER = 1; ASSAY_STORE_FILE = 2; ASSAY_STORE_GRACE = 7200; ASSAY_STORE_SYSTEM = 0
ASSAY_STORE_XDG = 1; ASSAY_STORE_GLOBAL = 2; ASSAY_STORE_LOCAL = 3; ASSAY_STORE_SET = 0; ASSAY_STORE_ADD = 1; ASSAY_STORE_UNSET = 2
ASSAY_STORE_UNSET_ALL = 3; ASSAY_STORE_MODULE_ADD = 0; ASSAY_STORE_MODULE_REMOVE = 1; ASSAY_STORE_MODULE_SEPARATOR = 2
ASSAY_CHART_INNERMOST = 4294967295; ASSAY_CHART_CHOOSE = 4294967294; ASSAY_VIEW_TOP_DOWN = 0; ASSAY_VIEW_BOTTOM_UP = 1; ASSAY_VIEW_FLAT = 2
ASSAY_VIEW_HOT_PATH = 3; ASSAY_VIEW_CALL_SITES = 0; ASSAY_VIEW_CONTEXTS = 1; ASSAY_VIEW_FUNCTIONS = 2; ASSAY_VIEW_SORT_DEFAULT = 0
ASSAY_VIEW_SORT_SELF = 1; ASSAY_VIEW_SORT_TOTAL = 2; ASSAY_VIEW_SORT_CALLS = 3; ASSAY_VIEW_SORT_NAME = 4; ASSAY_VIEW_ROW_MODULE = 7
ASSAY_VIEW_ROW_FILE = 8; ASSAY_VIEW_ROW_CALL = 9


class assay_error(Structure):
    _fields_ = [("code", c_int), ("sys_errno", c_int), ("has_offset", c_bool), ("offset", c_uint64), ("line", c_uint64), ("path", c_char * 512), ("text", c_char * 512), ("rule", c_char_p), ("hint", c_int)]

class assay_slice(Structure):
    _fields_ = [("data", c_char_p), ("len", c_size_t)]

class assay_str_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_module_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_file_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_func_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_metric_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_scope_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_stat_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_stream_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_node_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_label_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_set_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_counter_id(Structure):
    _fields_ = [("v", c_uint32)]

class assay_modules(Structure):
    _fields_ = [("count", c_uint32), ("path", c_void_p), ("build_id", c_void_p)]
    of = {"path": "assay_str_id", "build_id": "assay_str_id"}

class assay_files(Structure):
    _fields_ = [("count", c_uint32), ("path", c_void_p), ("module", c_void_p), ("source", c_void_p), ("parent", c_void_p), ("parent_line", c_void_p), ("origin", c_void_p), ("flags", c_void_p)]
    of = {"path": "assay_str_id", "module": "assay_module_id", "source": "assay_str_id", "parent": "assay_file_id", "parent_line": "c_uint32", "origin": "assay_str_id", "flags": "c_uint32"}

class assay_funcs(Structure):
    _fields_ = [("count", c_uint32), ("name", c_void_p), ("module", c_void_p), ("file", c_void_p), ("first_line", c_void_p), ("last_line", c_void_p), ("offset", c_void_p), ("kind", c_void_p), ("flags", c_void_p), ("link_name", c_void_p), ("first_column", c_void_p)]
    of = {"name": "assay_str_id", "module": "assay_module_id", "file": "assay_file_id", "first_line": "c_uint32", "last_line": "c_uint32", "offset": "c_uint64", "kind": "c_uint8", "flags": "c_uint32", "link_name": "assay_str_id", "first_column": "c_uint32"}

class assay_value(Union):
    _fields_ = [("u", c_uint64), ("i", c_int64), ("d", c_double)]

class assay_wide(Structure):
    _fields_ = [("low", c_uint64), ("high", c_int64)]

class assay_metrics(Structure):
    _fields_ = [("count", c_uint32), ("name", c_void_p), ("unit", c_void_p), ("description", c_void_p), ("formula", c_void_p), ("type", c_void_p), ("hidden", c_void_p), ("shapes", c_void_p), ("total", c_void_p), ("total_double", c_void_p), ("has_stated", c_void_p), ("kind", c_void_p), ("is_default", c_void_p), ("period", c_void_p), ("period_type", c_void_p), ("period_unit", c_void_p)]
    of = {"name": "assay_str_id", "unit": "assay_str_id", "description": "assay_str_id", "formula": "assay_str_id", "type": "c_uint8", "hidden": "c_uint8", "shapes": "c_uint32", "total": "assay_wide", "total_double": "c_double", "has_stated": "c_uint8", "kind": "c_uint8", "is_default": "c_uint8", "period": "c_int64", "period_type": "assay_str_id", "period_unit": "assay_str_id"}

class assay_scopes(Structure):
    _fields_ = [("count", c_uint32), ("metric", c_void_p), ("kind", c_void_p), ("propagation", c_void_p), ("name", c_void_p)]
    of = {"metric": "assay_metric_id", "kind": "c_uint8", "propagation": "c_uint8", "name": "assay_str_id"}

class assay_stats(Structure):
    _fields_ = [("count", c_uint32), ("scope", c_void_p), ("formula", c_void_p), ("combine", c_void_p)]
    of = {"scope": "assay_scope_id", "formula": "assay_str_id", "combine": "c_uint8"}

class assay_streams(Structure):
    _fields_ = [("count", c_uint32), ("label", c_void_p), ("tuple_begin", c_void_p), ("tuple_count", c_uint32), ("tuple_kind", c_void_p), ("tuple_logical", c_void_p), ("tuple_physical", c_void_p), ("tuple_flags", c_void_p)]
    of = {"label": "assay_str_id", "tuple_begin": "c_uint32", "tuple_kind": "assay_str_id", "tuple_logical": "c_uint64", "tuple_physical": "c_uint64", "tuple_flags": "c_uint32"}

class assay_tree(Structure):
    _fields_ = [("count", c_uint32), ("is_whole", c_bool), ("parent", c_void_p), ("kind", c_void_p), ("relation", c_void_p), ("flags", c_void_p), ("func", c_void_p), ("file", c_void_p), ("line", c_void_p), ("module", c_void_p), ("offset", c_void_p), ("calls", c_void_p), ("origin", c_void_p)]
    of = {"parent": "assay_node_id", "kind": "c_uint8", "relation": "c_uint8", "flags": "c_uint8", "func": "assay_func_id", "file": "assay_file_id", "line": "c_uint32", "module": "assay_module_id", "offset": "c_uint64", "calls": "c_uint64", "origin": "c_uint64"}

class assay_cell(Structure):
    _fields_ = [("node", c_uint32), ("column", c_uint32), ("value", assay_value)]

class assay_block(Structure):
    _fields_ = [("metric_count", c_uint32), ("metrics", c_void_p)]
    of = {"metrics": "assay_metric_id"}

class assay_graph(Structure):
    _fields_ = [("block", assay_block), ("sum_count", c_uint32), ("sum_stream", c_void_p), ("sum_func", c_void_p), ("sum_self", c_void_p), ("sum_calls", c_void_p), ("sum_calls_recursive", c_void_p), ("sum_in", c_void_p), ("sum_out", c_void_p), ("sum_recursive", c_void_p), ("sum_entered", c_void_p), ("sum_nested", c_void_p), ("has_stated", c_void_p), ("stated_calls", c_void_p), ("stated_total", c_void_p), ("cost_count", c_uint32), ("cost_stream", c_void_p), ("cost_func", c_void_p), ("cost_file", c_void_p), ("cost_line", c_void_p), ("cost_address", c_void_p), ("cost_self", c_void_p), ("arc_count", c_uint32), ("arc_stream", c_void_p), ("arc_caller", c_void_p), ("arc_callee", c_void_p), ("arc_file", c_void_p), ("arc_line", c_void_p), ("arc_address", c_void_p), ("arc_calls", c_void_p), ("arc_total", c_void_p), ("arc_self", c_void_p), ("arc_recursive", c_void_p), ("arc_depth", c_void_p), ("arc_nested", c_void_p), ("pair_count", c_uint32), ("pair_caller", c_void_p), ("pair_callee", c_void_p), ("keeps_recursion", c_bool), ("knows_nesting", c_bool), ("sum_begin", c_void_p), ("cost_begin", c_void_p), ("arc_begin", c_void_p), ("sum_len", c_void_p), ("cost_len", c_void_p), ("arc_len", c_void_p), ("jump_count", c_uint32), ("jump_stream", c_void_p), ("jump_func", c_void_p), ("jump_to_func", c_void_p), ("jump_file", c_void_p), ("jump_to_file", c_void_p), ("jump_line", c_void_p), ("jump_to_line", c_void_p), ("jump_address", c_void_p), ("jump_to_address", c_void_p), ("jump_executed", c_void_p), ("jump_followed", c_void_p), ("jump_conditional", c_void_p)]
    of = {"sum_stream": "assay_stream_id", "sum_func": "assay_func_id", "sum_self": "assay_value", "sum_calls": "c_uint64", "sum_calls_recursive": "c_uint64", "sum_in": "assay_value", "sum_out": "assay_value", "sum_recursive": "assay_value", "sum_entered": "c_uint64", "sum_nested": "assay_value", "has_stated": "c_uint8", "stated_calls": "c_uint64", "stated_total": "assay_value", "cost_stream": "assay_stream_id", "cost_func": "assay_func_id", "cost_file": "assay_file_id", "cost_line": "c_uint32", "cost_address": "c_uint64", "cost_self": "assay_value", "arc_stream": "assay_stream_id", "arc_caller": "assay_func_id", "arc_callee": "assay_func_id", "arc_file": "assay_file_id", "arc_line": "c_uint32", "arc_address": "c_uint64", "arc_calls": "c_uint64", "arc_total": "assay_value", "arc_self": "assay_value", "arc_recursive": "assay_value", "arc_depth": "c_uint32", "arc_nested": "assay_value", "pair_caller": "assay_func_id", "pair_callee": "assay_func_id", "sum_begin": "c_uint64", "cost_begin": "c_uint64", "arc_begin": "c_uint64", "sum_len": "c_uint32", "cost_len": "c_uint32", "arc_len": "c_uint32", "jump_stream": "assay_stream_id", "jump_func": "assay_func_id", "jump_to_func": "assay_func_id", "jump_file": "assay_file_id", "jump_to_file": "assay_file_id", "jump_line": "c_uint32", "jump_to_line": "c_uint32", "jump_address": "c_uint64", "jump_to_address": "c_uint64", "jump_executed": "c_uint64", "jump_followed": "c_uint64", "jump_conditional": "c_uint8"}

class assay_lines(Structure):
    _fields_ = [("block", assay_block), ("count", c_uint32), ("stream", c_void_p), ("level", c_void_p), ("file", c_void_p), ("line", c_void_p), ("hits", c_void_p), ("self", c_void_p), ("total", c_void_p)]
    of = {"stream": "assay_stream_id", "level": "c_uint8", "file": "assay_file_id", "line": "c_uint32", "hits": "c_uint64", "self": "assay_value", "total": "assay_value"}

class assay_timeline(Structure):
    _fields_ = [("stream_count", c_uint32), ("begin", c_void_p), ("count", c_uint64), ("is_spans", c_void_p), ("unit", c_void_p), ("time", c_void_p), ("duration", c_void_p), ("node", c_void_p), ("block", assay_block), ("weight", c_void_p), ("set", c_void_p)]
    of = {"begin": "c_uint64", "is_spans": "c_uint8", "unit": "assay_str_id", "time": "c_int64", "duration": "c_int64", "node": "assay_node_id", "weight": "assay_value", "set": "assay_set_id"}

class assay_labels(Structure):
    _fields_ = [("count", c_uint32), ("key", c_void_p), ("kind", c_void_p), ("text", c_void_p), ("number", c_void_p), ("real", c_void_p), ("unit", c_void_p), ("set_count", c_uint32), ("set_rest", c_void_p), ("set_label", c_void_p), ("block", assay_block), ("sample_count", c_uint32), ("sample_stream", c_void_p), ("sample_node", c_void_p), ("sample_set", c_void_p), ("sample_self", c_void_p)]
    of = {"key": "assay_str_id", "kind": "c_uint8", "text": "assay_str_id", "number": "c_int64", "real": "c_double", "unit": "assay_str_id", "set_rest": "assay_set_id", "set_label": "assay_label_id", "sample_stream": "assay_stream_id", "sample_node": "assay_node_id", "sample_set": "assay_set_id", "sample_self": "assay_value"}

class assay_markers(Structure):
    _fields_ = [("count", c_uint32), ("stream", c_void_p), ("time", c_void_p), ("duration", c_void_p), ("name", c_void_p), ("category", c_void_p), ("text", c_void_p), ("node", c_void_p), ("set", c_void_p)]
    of = {"stream": "assay_stream_id", "time": "c_int64", "duration": "c_int64", "name": "assay_str_id", "category": "assay_str_id", "text": "assay_str_id", "node": "assay_node_id", "set": "assay_set_id"}

class assay_counters(Structure):
    _fields_ = [("count", c_uint32), ("stream", c_void_p), ("name", c_void_p), ("series", c_void_p), ("category", c_void_p), ("unit", c_void_p), ("kind", c_void_p), ("reading_count", c_uint32), ("reading_counter", c_void_p), ("reading_time", c_void_p), ("reading_value", c_void_p)]
    of = {"stream": "assay_stream_id", "name": "assay_str_id", "series": "assay_str_id", "category": "assay_str_id", "unit": "assay_str_id", "kind": "c_uint8", "reading_counter": "assay_counter_id", "reading_time": "c_int64", "reading_value": "c_double"}

class assay_coverage(Structure):
    _fields_ = [("line_count", c_uint32), ("line_test", c_void_p), ("line_file", c_void_p), ("line_number", c_void_p), ("line_hits", c_void_p), ("line_flags", c_void_p), ("line_checksum", c_void_p), ("func_count", c_uint32), ("func_test", c_void_p), ("func", c_void_p), ("func_calls", c_void_p), ("func_first_column", c_void_p), ("func_last_column", c_void_p), ("func_blocks", c_void_p), ("func_blocks_hit", c_void_p), ("func_flags", c_void_p), ("branch_count", c_uint32), ("branch_test", c_void_p), ("branch_file", c_void_p), ("branch_line", c_void_p), ("branch_func", c_void_p), ("branch_block", c_void_p), ("branch_name", c_void_p), ("branch_index", c_void_p), ("branch_hits", c_void_p), ("branch_flags", c_void_p), ("branch_column", c_void_p), ("branch_end_line", c_void_p), ("branch_end_column", c_void_p), ("branch_target", c_void_p), ("sum_count", c_uint32), ("sum_test", c_void_p), ("sum_file", c_void_p), ("sum_line", c_void_p), ("sum_hit", c_void_p), ("sum_total", c_void_p), ("sum_kind", c_void_p), ("sum_flags", c_void_p), ("condition_count", c_uint32), ("condition_file", c_void_p), ("condition_line", c_void_p), ("condition_group", c_void_p), ("condition_index", c_void_p), ("condition_sense", c_void_p), ("condition_hits", c_void_p), ("condition_text", c_void_p), ("condition_test", c_void_p), ("condition_flags", c_void_p), ("region_count", c_uint32), ("region_file", c_void_p), ("region_func", c_void_p), ("region_kind", c_void_p), ("region_first", c_void_p), ("region_last", c_void_p), ("region_first_column", c_void_p), ("region_last_column", c_void_p), ("region_statements", c_void_p), ("region_hits", c_void_p), ("stated_count", c_uint32), ("stated_file", c_void_p), ("stated_scope", c_void_p), ("stated_kind", c_void_p), ("stated_hit", c_void_p), ("stated_total", c_void_p)]
    of = {"line_test": "assay_str_id", "line_file": "assay_file_id", "line_number": "c_uint32", "line_hits": "c_uint64", "line_flags": "c_uint8", "line_checksum": "assay_str_id", "func_test": "assay_str_id", "func": "assay_func_id", "func_calls": "c_uint64", "func_first_column": "c_uint32", "func_last_column": "c_uint32", "func_blocks": "c_uint32", "func_blocks_hit": "c_uint32", "func_flags": "c_uint8", "branch_test": "assay_str_id", "branch_file": "assay_file_id", "branch_line": "c_uint32", "branch_func": "assay_func_id", "branch_block": "assay_str_id", "branch_name": "assay_str_id", "branch_index": "c_uint32", "branch_hits": "c_uint64", "branch_flags": "c_uint8", "branch_column": "c_uint32", "branch_end_line": "c_uint32", "branch_end_column": "c_uint32", "branch_target": "c_int64", "sum_test": "assay_str_id", "sum_file": "assay_file_id", "sum_line": "c_uint32", "sum_hit": "c_uint32", "sum_total": "c_uint32", "sum_kind": "assay_str_id", "sum_flags": "c_uint8", "condition_file": "assay_file_id", "condition_line": "c_uint32", "condition_group": "c_uint32", "condition_index": "c_uint32", "condition_sense": "c_uint8", "condition_hits": "c_uint64", "condition_text": "assay_str_id", "condition_test": "assay_str_id", "condition_flags": "c_uint8", "region_file": "assay_file_id", "region_func": "assay_func_id", "region_kind": "c_uint8", "region_first": "c_uint64", "region_last": "c_uint64", "region_first_column": "c_uint32", "region_last_column": "c_uint32", "region_statements": "c_uint32", "region_hits": "c_uint64", "stated_file": "assay_file_id", "stated_scope": "assay_str_id", "stated_kind": "assay_str_id", "stated_hit": "c_double", "stated_total": "c_double"}

class assay_attributes(Structure):
    _fields_ = [("count", c_uint32), ("stream", c_void_p), ("key", c_void_p), ("value", c_void_p)]
    of = {"stream": "assay_stream_id", "key": "assay_str_id", "value": "assay_str_id"}

class assay_counts(Structure):
    _fields_ = [("count", c_uint32), ("name", c_void_p), ("value", c_void_p)]
    of = {"name": "assay_str_id", "value": "c_uint64"}

class assay_finding(Structure):
    _fields_ = [("rule", c_char_p), ("severity", c_int), ("has_offset", c_bool), ("offset", c_uint64), ("line", c_uint64), ("repeats", c_uint64), ("message", c_char_p)]

class assay_build_options(Structure):
    _fields_ = [("size", c_size_t), ("want", c_uint32), ("max_memory", c_uint64), ("max_string", c_uint64), ("memory", c_uint64)]

class assay_node(Structure):
    _fields_ = [("parent", assay_node_id), ("kind", c_uint8), ("relation", c_uint8), ("flags", c_uint8), ("func", assay_func_id), ("file", assay_file_id), ("line", c_uint32), ("module", assay_module_id), ("offset", c_uint64), ("origin", c_uint64)]

class assay_backing(Structure):
    _fields_ = [("row", c_void_p), ("column", c_void_p), ("value", c_void_p), ("summary", c_void_p), ("drop", c_void_p)]

class assay_label(Structure):
    _fields_ = [("key", assay_str_id), ("kind", c_uint8), ("text", assay_str_id), ("number", c_int64), ("real", c_double), ("unit", assay_str_id)]

class assay_place(Structure):
    _fields_ = [("stream", assay_stream_id), ("func", assay_func_id), ("file", assay_file_id), ("line", c_uint32), ("address", c_uint64)]

class assay_line(Structure):
    _fields_ = [("stream", assay_stream_id), ("level", c_uint8), ("file", assay_file_id), ("line", c_uint32)]

class assay_marker(Structure):
    _fields_ = [("stream", assay_stream_id), ("time", c_int64), ("duration", c_int64), ("name", assay_str_id), ("category", assay_str_id), ("text", assay_str_id), ("node", assay_node_id), ("set", assay_set_id)]

class assay_counter(Structure):
    _fields_ = [("stream", assay_stream_id), ("name", assay_str_id), ("series", assay_str_id), ("category", assay_str_id), ("unit", assay_str_id), ("kind", c_uint8)]

class assay_coverage_line(Structure):
    _fields_ = [("test", assay_str_id), ("file", assay_file_id), ("line", c_uint32), ("hits", c_uint64), ("flags", c_uint8), ("checksum", assay_str_id)]

class assay_coverage_func(Structure):
    _fields_ = [("test", assay_str_id), ("func", assay_func_id), ("calls", c_uint64), ("first_column", c_uint32), ("last_column", c_uint32), ("blocks", c_uint32), ("blocks_hit", c_uint32), ("flags", c_uint8)]

class assay_coverage_branch(Structure):
    _fields_ = [("test", assay_str_id), ("file", assay_file_id), ("line", c_uint32), ("func", assay_func_id), ("block", assay_str_id), ("name", assay_str_id), ("index", c_uint32), ("hits", c_uint64), ("flags", c_uint8), ("column", c_uint32), ("end_line", c_uint32), ("end_column", c_uint32), ("target", c_int64)]

class assay_coverage_sum(Structure):
    _fields_ = [("test", assay_str_id), ("file", assay_file_id), ("line", c_uint32), ("hit", c_uint32), ("total", c_uint32), ("kind", assay_str_id), ("flags", c_uint8)]

class assay_coverage_condition(Structure):
    _fields_ = [("file", assay_file_id), ("line", c_uint32), ("group", c_uint32), ("index", c_uint32), ("sense", c_uint8), ("hits", c_uint64), ("text", assay_str_id), ("test", assay_str_id), ("flags", c_uint8)]

class assay_coverage_region(Structure):
    _fields_ = [("file", assay_file_id), ("func", assay_func_id), ("kind", c_uint8), ("first", c_uint64), ("last", c_uint64), ("first_column", c_uint32), ("last_column", c_uint32), ("statements", c_uint32), ("hits", c_uint64)]

class assay_coverage_stated(Structure):
    _fields_ = [("file", assay_file_id), ("scope", assay_str_id), ("kind", assay_str_id), ("hit", c_double), ("total", c_double)]

class assay_coverage_branch_rows(Structure):
    _fields_ = [("line", c_void_p), ("block", c_void_p), ("name", c_void_p), ("hits", c_void_p), ("flags", c_void_p), ("count", c_uint32)]
    of = {"line": "c_uint32", "block": "assay_str_id", "name": "assay_str_id", "hits": "c_uint64", "flags": "c_uint8"}

class assay_format_info(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("extensions", c_void_p), ("versions", c_void_p), ("reads", c_char_p), ("holds", c_uint32), ("can", c_uint32), ("features", c_uint32)]
    of = {"extensions": "c_void_p", "versions": "c_void_p"}

class assay_option_info(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("argument", c_char_p), ("words", c_void_p), ("help", c_char_p), ("text", c_char_p), ("least", c_uint64), ("most", c_uint64), ("type", c_int), ("letter", c_char), ("is_hidden", c_bool)]
    of = {"words": "c_void_p"}

class assay_option(Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]

class assay_path_map(Structure):
    _fields_ = [("from", c_char_p), ("to", c_char_p)]

class assay_read_options(Structure):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("want", c_uint32), ("strict", c_bool), ("max_memory", c_uint64), ("max_output", c_uint64), ("proxies", c_void_p), ("proxy_count", c_size_t), ("progress", c_void_p), ("progress_arg", c_void_p), ("no_symbols", c_bool), ("no_structures", c_bool), ("no_loops", c_bool), ("foreign", c_bool), ("symbol_paths", c_void_p), ("symbol_path_count", c_size_t), ("maps", c_void_p), ("map_count", c_size_t), ("style", c_char_p), ("deep", c_bool), ("sources", c_bool), ("filter", c_void_p), ("time", c_char_p), ("columns", c_uint32), ("contexts", c_bool), ("max_string", c_uint64), ("options", c_void_p), ("option_count", c_size_t), ("threads", c_uint), ("memory", c_uint64)]
    of = {"proxies": "c_void_p", "symbol_paths": "c_void_p", "maps": "assay_path_map", "filter": "assay_filter", "options": "assay_option"}

class assay_input(Structure):
    _fields_ = [("size", c_size_t), ("kind", c_uint32), ("name", c_char_p), ("data", c_void_p), ("len", c_size_t), ("fd", c_int), ("pull", c_void_p), ("pull_arg", c_void_p)]

class assay_check_result(Structure):
    _fields_ = [("format", c_void_p), ("findings", c_void_p), ("count", c_size_t), ("errors", c_uint64), ("warnings", c_uint64)]
    of = {"format": "assay_format_info", "findings": "assay_finding"}

class assay_loss(Structure):
    _fields_ = [("kind", c_char_p), ("count", c_uint64), ("message", c_char_p)]

class assay_losses(Structure):
    _fields_ = [("at", c_void_p), ("count", c_size_t)]
    of = {"at": "assay_loss"}

class assay_write_options(Structure):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("strict", c_bool), ("estimate", c_bool), ("no_estimate", c_bool), ("metric", c_char_p), ("sum_up", c_bool), ("filter", c_void_p), ("foreign", c_bool), ("maps", c_void_p), ("map_count", c_size_t), ("memory", c_uint64), ("threads", c_uint), ("progress", c_void_p), ("progress_arg", c_void_p), ("options", c_void_p), ("option_count", c_size_t), ("metrics", c_char_p)]
    of = {"filter": "assay_filter", "maps": "assay_path_map", "options": "assay_option"}

class assay_filter(Structure):
    _fields_ = [("size", c_size_t), ("maps", c_void_p), ("map_count", c_size_t), ("source_roots", c_void_p), ("source_root_count", c_size_t), ("follow_links", c_bool), ("includes", c_void_p), ("include_count", c_size_t), ("excludes", c_void_p), ("exclude_count", c_size_t), ("marks", c_uint32), ("focus", c_void_p), ("focus_count", c_size_t), ("ignore", c_void_p), ("ignore_count", c_size_t), ("hide", c_void_p), ("hide_count", c_size_t), ("modules", c_void_p), ("module_count", c_size_t), ("files", c_void_p), ("file_count", c_size_t), ("streams", c_void_p), ("stream_count", c_size_t), ("time", c_char_p), ("max_memory", c_uint64), ("lines", c_bool), ("throw_branches", c_bool), ("unreachable_branches", c_bool), ("exclude_lines", c_void_p), ("exclude_line_count", c_size_t), ("show", c_void_p), ("show_count", c_size_t), ("show_from", c_void_p), ("show_from_count", c_size_t), ("tag_focus", c_void_p), ("tag_focus_count", c_size_t), ("tag_ignore", c_void_p), ("tag_ignore_count", c_size_t), ("tag_root", c_void_p), ("tag_root_count", c_size_t), ("tag_leaf", c_void_p), ("tag_leaf_count", c_size_t), ("collapse", c_void_p), ("collapse_count", c_size_t), ("focus_self", c_void_p), ("focus_self_count", c_size_t), ("hide_paths", c_void_p), ("hide_path_count", c_size_t)]
    of = {"maps": "assay_path_map", "source_roots": "c_void_p", "includes": "c_void_p", "excludes": "c_void_p", "focus": "c_void_p", "ignore": "c_void_p", "hide": "c_void_p", "modules": "c_void_p", "files": "c_void_p", "streams": "c_void_p", "exclude_lines": "c_void_p", "show": "c_void_p", "show_from": "c_void_p", "tag_focus": "c_void_p", "tag_ignore": "c_void_p", "tag_root": "c_void_p", "tag_leaf": "c_void_p", "collapse": "c_void_p", "focus_self": "c_void_p", "hide_paths": "c_void_p"}

class assay_top(Structure):
    _fields_ = [("count", c_uint32), ("metric_count", c_uint32), ("metrics", c_void_p), ("func", c_void_p), ("calls", c_void_p), ("self", c_void_p), ("total", c_void_p), ("begin", c_void_p)]
    of = {"metrics": "assay_metric_id", "func": "assay_func_id", "calls": "c_uint64", "self": "assay_value", "total": "assay_value", "begin": "c_uint64"}

class assay_column(Structure):
    _fields_ = [("name", assay_slice), ("unit", c_char_p), ("metric", assay_metric_id), ("type", c_int), ("whole", c_double), ("is_sum", c_bool)]

class assay_table_options(Structure):
    _fields_ = [("size", c_size_t), ("by", c_int), ("depth", c_uint32), ("cycles", c_bool), ("metric", c_char_p), ("sort", c_int), ("least", c_double), ("limit", c_uint64)]

class assay_table(Structure):
    _fields_ = [("profile", c_void_p), ("column_count", c_uint32), ("columns", c_void_p), ("key", c_uint32), ("count", c_uint32), ("left_out", c_uint64), ("name", c_void_p), ("func", c_void_p), ("file", c_void_p), ("line", c_void_p), ("module", c_void_p), ("calls", c_void_p), ("cycle", c_void_p), ("members", c_void_p), ("self", c_void_p), ("total", c_void_p)]
    of = {"columns": "assay_column", "name": "assay_slice", "func": "assay_func_id", "file": "assay_file_id", "line": "c_uint32", "module": "assay_module_id", "calls": "c_uint64", "cycle": "c_uint32", "members": "c_uint32", "self": "assay_value", "total": "assay_value"}

class assay_edit(Structure):
    _fields_ = [("old_before", c_uint32), ("old_count", c_uint32), ("new_before", c_uint32), ("new_count", c_uint32)]

class assay_changed_file(Structure):
    _fields_ = [("old_path", c_char_p), ("new_path", c_char_p), ("edits", c_void_p), ("edit_count", c_size_t)]
    of = {"edits": "assay_edit"}

class assay_changes(Structure):
    _fields_ = [("files", c_void_p), ("count", c_size_t), ("added", c_uint64), ("removed", c_uint64), ("warnings", c_void_p), ("warning_count", c_size_t)]
    of = {"files": "assay_changed_file", "warnings": "assay_finding"}

class assay_git_range(Structure):
    _fields_ = [("size", c_size_t), ("repository", c_char_p), ("range", c_char_p), ("staged", c_bool), ("unstaged", c_bool), ("max_memory", c_uint64)]

class assay_patch_file(Structure):
    _fields_ = [("path", c_char_p), ("added", c_uint32), ("count", c_uint32), ("line", c_void_p), ("state", c_void_p), ("missing", c_uint32)]
    of = {"line": "c_uint32", "state": "c_uint8"}

class assay_patch(Structure):
    _fields_ = [("files", c_void_p), ("count", c_size_t), ("unmatched", c_void_p), ("unmatched_count", c_size_t), ("changed", c_uint64), ("measured", c_uint64), ("missing", c_uint64), ("lost", c_char_p)]
    of = {"files": "assay_patch_file", "unmatched": "c_void_p"}

class assay_patch_options(Structure):
    _fields_ = [("size", c_size_t), ("branches", c_bool), ("expand", c_bool), ("max_memory", c_uint64)]

class assay_diff_line(Structure):
    _fields_ = [("old_line", c_uint32), ("new_line", c_uint32), ("category", c_uint8)]

class assay_diff_file(Structure):
    _fields_ = [("old_path", c_char_p), ("new_path", c_char_p), ("before", c_uint32), ("before_hit", c_uint32), ("after", c_uint32), ("after_hit", c_uint32), ("by_category", c_uint32 * 12), ("lines", c_void_p), ("line_count", c_uint32)]
    of = {"lines": "assay_diff_line"}

class assay_coverage_diff(Structure):
    _fields_ = [("files", c_void_p), ("count", c_size_t), ("before", c_uint64), ("before_hit", c_uint64), ("after", c_uint64), ("after_hit", c_uint64), ("by_category", c_uint64 * 12), ("warnings", c_void_p), ("warning_count", c_size_t)]
    of = {"files": "assay_diff_file", "warnings": "assay_finding"}

class assay_diff_metric(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("type", c_int), ("is_before", c_bool), ("is_after", c_bool), ("before_total", c_double), ("after_total", c_double)]

class assay_diff_func(Structure):
    _fields_ = [("name", c_char_p), ("file", c_char_p), ("module", c_char_p), ("line", c_uint32), ("state", c_uint8), ("before_calls", c_uint64), ("after_calls", c_uint64), ("context", c_uint32)]

class assay_diff_context(Structure):
    _fields_ = [("name", c_char_p), ("parent", c_uint32)]

class assay_profile_diff(Structure):
    _fields_ = [("metric_count", c_size_t), ("metrics", c_void_p), ("count", c_size_t), ("funcs", c_void_p), ("before_self", c_void_p), ("after_self", c_void_p), ("before_total", c_void_p), ("after_total", c_void_p), ("same", c_size_t), ("by", c_int), ("context_count", c_size_t), ("contexts", c_void_p), ("metric", c_size_t), ("shown_count", c_size_t), ("shown", c_void_p), ("first_formula", c_size_t)]
    of = {"metrics": "assay_diff_metric", "funcs": "assay_diff_func", "before_self": "assay_value", "after_self": "assay_value", "before_total": "assay_value", "after_total": "assay_value", "contexts": "assay_diff_context", "shown": "c_size_t"}

class assay_profile_diff_options(Structure):
    _fields_ = [("size", c_size_t), ("metric", c_char_p), ("max_memory", c_uint64), ("by", c_int), ("normalise", c_bool), ("only_metric", c_bool), ("all", c_bool)]

class assay_diff_gate(Structure):
    _fields_ = [("k", c_size_t), ("percent", c_double), ("min_cost", c_double), ("normalise", c_bool)]

class assay_verb_example(Structure):
    _fields_ = [("command", c_char_p), ("text", c_char_p)]

class assay_verb(Structure):
    _fields_ = [("name", c_char_p), ("summary", c_char_p), ("arguments", c_char_p), ("least_files", c_size_t), ("most_files", c_size_t), ("words", c_void_p), ("text", c_void_p), ("examples", c_void_p)]
    of = {"words": "c_void_p", "text": "c_void_p", "examples": "assay_verb_example"}

class assay_report_sink(Structure):
    _fields_ = [("size", c_size_t), ("arg", c_void_p), ("write", c_void_p), ("message", c_void_p), ("failed", c_void_p), ("progress", c_void_p), ("width", c_uint), ("color", c_bool), ("reading", c_void_p)]

class assay_written(Structure):
    _fields_ = [("size", c_size_t), ("inputs", c_void_p), ("input_count", c_size_t), ("from", c_char_p), ("to", c_char_p), ("output", c_char_p), ("losses", c_void_p), ("merged", c_void_p)]
    of = {"inputs": "c_void_p", "losses": "assay_losses"}

class assay_annotate_options(Structure):
    _fields_ = [("size", c_size_t), ("coverage", c_void_p), ("filter", c_void_p), ("folder", c_char_p), ("metric", c_char_p)]
    of = {"filter": "assay_filter"}

class assay_annotate_callees(Structure):
    _fields_ = [("count", c_uint32), ("func", c_void_p), ("name", c_void_p), ("calls", c_void_p), ("total", c_void_p), ("recursive", c_void_p)]
    of = {"func": "assay_func_id", "name": "assay_slice", "calls": "c_uint64", "total": "assay_value", "recursive": "assay_value"}

class assay_annotate_source(Structure):
    _fields_ = [("path", assay_slice), ("found", c_char_p), ("tried_count", c_size_t), ("tried", c_void_p), ("profile", c_void_p), ("column_count", c_uint32), ("columns", c_void_p), ("key", c_uint32), ("call_column_count", c_uint32), ("call_columns", c_void_p), ("count", c_uint32), ("line", c_void_p), ("state", c_void_p), ("has_hits", c_void_p), ("hits", c_void_p), ("branches", c_void_p), ("branches_hit", c_void_p), ("has_cost", c_void_p), ("calls", c_void_p), ("self", c_void_p), ("total", c_void_p), ("in_calls", c_void_p), ("callee_begin", c_void_p), ("callees", assay_annotate_callees), ("text", c_void_p)]
    of = {"tried": "c_void_p", "columns": "assay_column", "call_columns": "assay_column", "line": "c_uint32", "state": "c_uint8", "has_hits": "c_bool", "hits": "c_uint64", "branches": "c_uint32", "branches_hit": "c_uint32", "has_cost": "c_bool", "calls": "c_uint64", "self": "assay_value", "total": "assay_value", "in_calls": "assay_value", "callee_begin": "c_uint32", "text": "assay_slice"}

class assay_callers_options(Structure):
    _fields_ = [("size", c_size_t), ("metric", c_char_p), ("sort", c_int), ("by_site", c_bool), ("cycles", c_bool), ("depth", c_uint32), ("functions", c_uint64), ("limit", c_uint64), ("least", c_double)]

class assay_callers_side(Structure):
    _fields_ = [("count", c_uint32), ("parent", c_void_p), ("depth", c_void_p), ("name", c_void_p), ("func", c_void_p), ("file", c_void_p), ("line", c_void_p), ("sites", c_void_p), ("calls", c_void_p), ("contexts", c_void_p), ("cycle", c_void_p), ("flags", c_void_p), ("total", c_void_p), ("recursive", c_void_p), ("left_out", c_uint32), ("rest", c_void_p)]
    of = {"parent": "c_uint32", "depth": "c_uint32", "name": "assay_slice", "func": "assay_func_id", "file": "assay_file_id", "line": "c_uint32", "sites": "c_uint32", "calls": "c_uint64", "contexts": "c_uint64", "cycle": "c_uint32", "flags": "c_uint8", "total": "assay_value", "recursive": "assay_value", "rest": "assay_value"}

class assay_callers_block(Structure):
    _fields_ = [("name", assay_slice), ("func", assay_func_id), ("cycle", c_uint32), ("members", c_uint32), ("calls", c_uint64), ("self", c_void_p), ("total", c_void_p), ("callers", assay_callers_side), ("callees", assay_callers_side)]
    of = {"self": "assay_value", "total": "assay_value"}

class assay_callers(Structure):
    _fields_ = [("profile", c_void_p), ("column_count", c_uint32), ("columns", c_void_p), ("key", c_uint32), ("found", c_uint64), ("count", c_uint32), ("blocks", c_void_p)]
    of = {"columns": "assay_column", "blocks": "assay_callers_block"}

class assay_coverage_counts(Structure):
    _fields_ = [("files", c_uint64), ("lines", c_uint64), ("lines_hit", c_uint64), ("functions", c_uint64), ("functions_hit", c_uint64), ("groups", c_uint64), ("groups_hit", c_uint64), ("branches", c_uint64), ("branches_hit", c_uint64), ("conditions", c_uint64), ("conditions_hit", c_uint64), ("blocks", c_uint64), ("blocks_hit", c_uint64), ("statements", c_uint64), ("statements_hit", c_uint64), ("stated", c_uint64)]

class assay_coverage_row(Structure):
    _fields_ = [("path", assay_slice), ("file", assay_file_id), ("counts", assay_coverage_counts), ("missing", c_char_p)]

class assay_coverage_difference(Structure):
    _fields_ = [("files", c_uint64), ("stated", c_uint64), ("stated_hit", c_uint64), ("counted", c_uint64), ("counted_hit", c_uint64)]

class assay_coverage_table(Structure):
    _fields_ = [("total", assay_coverage_counts), ("count", c_uint32), ("rows", c_void_p), ("differs", assay_coverage_difference * 3)]
    of = {"rows": "assay_coverage_row"}

class assay_graph_options(Structure):
    _fields_ = [("size", c_size_t), ("per_second", c_uint32), ("max_memory", c_uint64)]

class assay_graph_lost(Structure):
    _fields_ = [("contexts", c_uint64), ("streams", c_uint64), ("unknown_calls", c_uint64), ("scaled_metrics", c_uint64)]

class assay_mcp_options(Structure):
    _fields_ = [("size", c_size_t), ("max_memory", c_uint64), ("max_answer", c_uint64), ("max_seconds", c_uint32), ("no_handles", c_bool)]

class assay_merge_options(Structure):
    _fields_ = [("size", c_size_t), ("keep_tests", c_bool), ("strict", c_bool), ("max_memory", c_uint64), ("together", c_bool)]

class assay_paths_options(Structure):
    _fields_ = [("size", c_size_t), ("metric", c_char_p), ("callers", c_bool), ("estimate", c_bool), ("least", c_double), ("recursion", c_int)]

class assay_paths(Structure):
    _fields_ = [("profile", c_void_p), ("is_estimated", c_bool), ("metric", assay_metric_id), ("type", c_int), ("count", c_uint32), ("deepest", c_uint32), ("parent", c_void_p), ("depth", c_void_p), ("end", c_void_p), ("kind", c_void_p), ("func", c_void_p), ("name", c_void_p), ("calls", c_void_p), ("self", c_void_p), ("total", c_void_p)]
    of = {"parent": "c_uint32", "depth": "c_uint32", "end": "c_uint32", "kind": "c_uint8", "func": "assay_func_id", "name": "assay_slice", "calls": "c_uint64", "self": "assay_value", "total": "assay_value"}

class assay_estimate_options(Structure):
    _fields_ = [("size", c_size_t), ("metric", c_char_p), ("max_nodes", c_uint32), ("max_memory", c_uint64)]

class assay_query_options(Structure):
    _fields_ = [("size", c_size_t), ("read", c_void_p), ("max_rows", c_uint64), ("max_memory", c_uint64), ("max_seconds", c_uint32), ("exact", c_bool)]
    of = {"read": "assay_read_options"}

class assay_query_cell(Structure):
    _fields_ = [("type", c_int), ("integer", c_int64), ("real", c_double), ("text", assay_slice)]

class assay_rows_print_options(Structure):
    _fields_ = [("size", c_size_t), ("style", c_int), ("width", c_uint), ("color", c_bool)]

class assay_query_column(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("text", c_char_p), ("example", c_char_p)]

class assay_query_table(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("example", c_char_p), ("column_count", c_size_t), ("columns", c_void_p)]
    of = {"columns": "assay_query_column"}

class assay_named_query(Structure):
    _fields_ = [("name", c_char_p), ("text", c_char_p), ("sql", c_char_p)]

class assay_store_id(Structure):
    _fields_ = [("bytes", c_uint8 * 20)]

class assay_store_pair(Structure):
    _fields_ = [("relevant", c_uint32), ("visited", c_uint32)]

class assay_store_stats(Structure):
    _fields_ = [("lines_total", c_uint32), ("lines", assay_store_pair), ("functions", assay_store_pair), ("branches", assay_store_pair)]

class assay_store_new(Structure):
    _fields_ = [("size", c_size_t), ("git_dir", c_char_p), ("directory", c_char_p), ("branch", c_char_p), ("force", c_bool)]

class assay_store_made(Structure):
    _fields_ = [("outcome", c_int), ("store", c_char * 4096), ("git", c_char * 4096)]

class assay_store_refs(Structure):
    _fields_ = [("count", c_size_t), ("name", c_void_p), ("id", c_void_p)]
    of = {"name": "c_void_p", "id": "assay_store_id"}

class assay_store_reflog(Structure):
    _fields_ = [("reference", c_char_p), ("count", c_size_t), ("from", c_void_p), ("to", c_void_p), ("who", c_void_p), ("why", c_void_p), ("when", c_void_p)]
    of = {"from": "assay_store_id", "to": "assay_store_id", "who": "assay_slice", "why": "assay_slice", "when": "c_uint64"}

class assay_store_build(Structure):
    _fields_ = [("build", assay_store_id), ("propset", assay_slice), ("stats", assay_store_stats)]

class assay_store_report(Structure):
    _fields_ = [("id", assay_store_id), ("parent", assay_store_id), ("file_list", assay_store_id), ("added", c_uint64), ("commit", assay_store_id), ("committed", c_uint64), ("branch", assay_slice), ("author_name", assay_slice), ("author_email", assay_slice), ("committer_name", assay_slice), ("committer_email", assay_slice), ("message", assay_slice), ("stats", assay_store_stats), ("builds", c_void_p), ("build_count", c_size_t)]
    of = {"builds": "assay_store_build"}

class assay_store_part(Structure):
    _fields_ = [("size", c_size_t), ("module", c_char_p), ("props", c_void_p), ("prop_count", c_size_t), ("strict", c_bool)]
    of = {"props": "c_void_p"}

class assay_store_table(Structure):
    _fields_ = [("count", c_size_t), ("kind", c_void_p), ("name", c_void_p), ("now", c_void_p), ("before", c_void_p), ("total_now", assay_store_stats), ("total_before", assay_store_stats)]
    of = {"kind": "c_uint8", "name": "assay_slice", "now": "assay_store_stats", "before": "assay_store_stats"}

class assay_store_import_options(Structure):
    _fields_ = [("size", c_size_t), ("commit", c_char_p), ("branch", c_char_p), ("props", c_void_p), ("prop_count", c_size_t), ("amend", c_bool), ("add", c_bool), ("exact", c_bool), ("strict", c_bool), ("warn", c_void_p), ("warn_arg", c_void_p)]
    of = {"props": "c_void_p"}

class assay_store_imported(Structure):
    _fields_ = [("changed", c_bool), ("report", assay_store_id), ("parent", assay_store_id), ("file_count", c_size_t), ("reference", c_char * 1024)]

class assay_store_strip_options(Structure):
    _fields_ = [("size", c_size_t), ("sources", c_char_p), ("os", c_char_p), ("compiler", c_char_p), ("tell", c_void_p), ("arg", c_void_p)]

class assay_store_stripped(Structure):
    _fields_ = [("lines", c_uint64), ("functions", c_uint64)]

class assay_store_gc_options(Structure):
    _fields_ = [("size", c_size_t), ("dry_run", c_bool), ("has_grace", c_bool), ("grace", c_uint64)]

class assay_store_removed(Structure):
    _fields_ = [("objects", c_uint64), ("sources", c_uint64), ("temporaries", c_uint64), ("locks", c_uint64), ("bytes", c_uint64), ("kept", c_uint64)]

class assay_store_config(Structure):
    _fields_ = [("count", c_size_t), ("name", c_void_p), ("value", c_void_p), ("level", c_void_p)]
    of = {"name": "c_void_p", "value": "c_void_p", "level": "c_uint8"}

class assay_store_modules(Structure):
    _fields_ = [("file", c_char_p), ("separator", c_char_p), ("stated", c_char_p), ("count", c_size_t), ("name", c_void_p), ("path_count", c_size_t), ("path", c_void_p), ("module", c_void_p)]
    of = {"name": "c_void_p", "path": "c_void_p", "module": "c_uint32"}

class assay_store_print(Structure):
    _fields_ = [("size", c_size_t), ("format", c_char_p), ("json", c_bool), ("oneline", c_bool), ("abbrev", c_bool), ("decorate", c_bool), ("prop_names", c_bool), ("has_limit", c_bool), ("limit", c_uint64), ("stat", c_char_p), ("part", c_void_p)]
    of = {"part": "assay_store_part"}

class assay_chart_options(Structure):
    _fields_ = [("size", c_size_t), ("whole", c_void_p), ("time", c_char_p), ("depth", c_uint32), ("columns", c_uint32), ("levels", c_uint32), ("streams", c_size_t)]

class assay_chart_line(Structure):
    _fields_ = [("stream", assay_stream_id), ("label", c_char_p), ("events", c_uint64), ("recorded", c_uint64), ("idle", c_uint64), ("levels", c_uint32), ("count", c_size_t), ("time", c_void_p), ("node", c_void_p), ("part_begin", c_size_t), ("part_end", c_size_t)]
    of = {"time": "c_int64", "node": "assay_node_id"}

class assay_chart_functions(Structure):
    _fields_ = [("count", c_uint32), ("name", c_void_p), ("func", c_void_p), ("streams", c_void_p), ("self", c_void_p), ("total", c_void_p)]
    of = {"name": "assay_slice", "func": "assay_func_id", "streams": "c_uint32", "self": "assay_wide", "total": "assay_wide"}

class assay_chart_parts(Structure):
    _fields_ = [("count", c_size_t), ("function", c_void_p), ("time", c_void_p)]
    of = {"function": "c_uint32", "time": "c_uint64"}

class assay_chart_boxes(Structure):
    _fields_ = [("count", c_size_t), ("line", c_void_p), ("depth", c_void_p), ("from", c_void_p), ("to", c_void_p), ("time", c_void_p), ("calls", c_void_p), ("is_merged", c_void_p), ("func", c_void_p), ("name", c_void_p)]
    of = {"line": "c_uint32", "depth": "c_uint32", "from": "c_int64", "to": "c_int64", "time": "c_uint64", "calls": "c_uint64", "is_merged": "c_bool", "func": "assay_func_id", "name": "assay_slice"}

class assay_chart(Structure):
    _fields_ = [("profile", c_void_p), ("unit", c_char_p), ("begin", c_int64), ("end", c_int64), ("from", c_int64), ("to", c_int64), ("is_spans", c_bool), ("is_laid_out", c_bool), ("events", c_uint64), ("depth", c_uint32), ("deepest", c_uint32), ("recorded", assay_wide), ("idle", assay_wide), ("line_count", c_size_t), ("lines", c_void_p), ("functions", assay_chart_functions), ("parts", assay_chart_parts), ("boxes", assay_chart_boxes)]
    of = {"lines": "assay_chart_line"}

class assay_view_options(Structure):
    _fields_ = [("size", c_size_t), ("kind", c_int), ("detail", c_int), ("sort", c_int), ("estimate", c_bool), ("metric", c_char_p), ("least", c_double), ("limit", c_uint64), ("depth", c_uint32), ("function", c_char_p)]

class assay_view(Structure):
    _fields_ = [("profile", c_void_p), ("is_estimated", c_bool), ("column_count", c_uint32), ("columns", c_void_p), ("key", c_uint32), ("count", c_uint32), ("left_out", c_uint64), ("parent", c_void_p), ("depth", c_void_p), ("kind", c_void_p), ("name", c_void_p), ("func", c_void_p), ("file", c_void_p), ("line", c_void_p), ("module", c_void_p), ("offset", c_void_p), ("site_file", c_void_p), ("site_line", c_void_p), ("calls", c_void_p), ("has_self", c_void_p), ("self", c_void_p), ("total", c_void_p)]
    of = {"columns": "assay_column", "parent": "c_uint32", "depth": "c_uint32", "kind": "c_uint8", "name": "assay_slice", "func": "assay_func_id", "file": "assay_file_id", "line": "c_uint32", "module": "assay_module_id", "offset": "c_uint64", "site_file": "assay_file_id", "site_line": "c_uint32", "calls": "c_uint64", "has_self": "c_bool", "self": "assay_value", "total": "assay_value"}

class assay_viewer_options(Structure):
    _fields_ = [("size", c_size_t), ("read", c_void_p), ("metric", c_char_p), ("compare", c_bool), ("least", c_double), ("max_cache", c_uint64), ("no_sources", c_bool), ("no_paths", c_bool), ("token", c_char_p), ("metrics", c_char_p)]
    of = {"read": "assay_read_options"}


# name: (result, arguments)
FUNCTIONS = {
    "assay_severity_name": (c_char_p, [c_int]),
    "assay_code_name": (c_char_p, [c_int]),
    "assay_error_format": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "assay_profile_retain": (c_void_p, [c_void_p]),
    "assay_profile_release": (None, [c_void_p]),
    "assay_profile_string": (assay_slice, [c_void_p, assay_str_id]),
    "assay_profile_strings": (c_void_p, [c_void_p, c_void_p]),
    "assay_profile_find_string": (assay_str_id, [c_void_p, c_char_p]),
    "assay_profile_format": (c_char_p, [c_void_p]),
    "assay_profile_version": (c_char_p, [c_void_p]),
    "assay_profile_producer": (assay_slice, [c_void_p]),
    "assay_profile_shapes": (c_uint32, [c_void_p]),
    "assay_profile_offers": (c_uint32, [c_void_p]),
    "assay_profile_modules": (c_void_p, [c_void_p]),
    "assay_profile_files": (c_void_p, [c_void_p]),
    "assay_profile_funcs": (c_void_p, [c_void_p]),
    "assay_profile_metrics": (c_void_p, [c_void_p]),
    "assay_profile_scopes": (c_void_p, [c_void_p]),
    "assay_profile_stats": (c_void_p, [c_void_p]),
    "assay_profile_streams": (c_void_p, [c_void_p]),
    "assay_profile_tree": (c_void_p, [c_void_p]),
    "assay_profile_graph": (c_void_p, [c_void_p]),
    "assay_profile_lines": (c_void_p, [c_void_p]),
    "assay_profile_timeline": (c_void_p, [c_void_p]),
    "assay_profile_labels": (c_void_p, [c_void_p]),
    "assay_profile_markers": (c_void_p, [c_void_p]),
    "assay_profile_counters": (c_void_p, [c_void_p]),
    "assay_profile_coverage": (c_void_p, [c_void_p]),
    "assay_profile_attributes": (c_void_p, [c_void_p]),
    "assay_profile_counts": (c_void_p, [c_void_p]),
    "assay_profile_warnings": (c_void_p, [c_void_p, c_void_p]),
    "assay_profile_damage": (c_uint64, [c_void_p, c_void_p]),
    "assay_tree_value": (c_int, [c_void_p, assay_stream_id, assay_node_id, assay_scope_id, c_void_p, c_void_p]),
    "assay_tree_row": (c_int, [c_void_p, assay_stream_id, assay_node_id, c_void_p, c_void_p, c_void_p]),
    "assay_tree_column": (c_int, [c_void_p, assay_stream_id, assay_scope_id, c_void_p, c_void_p, c_void_p]),
    "assay_tree_summary": (c_int, [c_void_p, assay_stat_id, c_void_p, c_void_p, c_void_p]),
    "assay_cursor_new": (c_void_p, [c_void_p, c_void_p]),
    "assay_cursor_free": (None, [c_void_p]),
    "assay_cursor_seek": (c_int, [c_void_p, assay_stream_id, assay_node_id, assay_scope_id, c_void_p]),
    "assay_cursor_next": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_cursor_read": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_profile_equal": (c_int, [c_void_p, c_void_p, c_void_p, c_size_t, c_void_p]),
    "assay_builder_new": (c_void_p, [c_void_p, c_void_p]),
    "assay_builder_free": (None, [c_void_p]),
    "assay_builder_seal": (c_void_p, [c_void_p, c_void_p]),
    "assay_builder_failed": (c_int, [c_void_p]),
    "assay_builder_want": (c_uint32, [c_void_p]),
    "assay_builder_has_tree": (None, [c_void_p]),
    "assay_build_string": (assay_str_id, [c_void_p, c_char_p, c_size_t]),
    "assay_build_module": (assay_module_id, [c_void_p, assay_str_id, assay_str_id]),
    "assay_build_file": (assay_file_id, [c_void_p, assay_str_id, assay_module_id]),
    "assay_build_func": (assay_func_id, [c_void_p, assay_str_id, assay_file_id, assay_module_id, c_uint64, c_uint32]),
    "assay_build_func_new": (assay_func_id, [c_void_p, assay_str_id, assay_file_id, assay_module_id, c_uint64, c_uint32]),
    "assay_build_file_new": (assay_file_id, [c_void_p, assay_str_id, assay_module_id]),
    "assay_build_func_place": (None, [c_void_p, assay_func_id, assay_file_id, assay_module_id, c_uint64]),
    "assay_build_func_lines": (None, [c_void_p, assay_func_id, c_uint32, c_uint32]),
    "assay_build_func_column": (None, [c_void_p, assay_func_id, c_uint32]),
    "assay_build_func_kind": (None, [c_void_p, assay_func_id, c_int, c_uint32]),
    "assay_build_func_link": (None, [c_void_p, assay_func_id, assay_str_id]),
    "assay_build_file_source": (None, [c_void_p, assay_file_id, assay_str_id, assay_str_id]),
    "assay_build_file_parent": (None, [c_void_p, assay_file_id, assay_file_id, c_uint32, c_uint32]),
    "assay_build_metric": (assay_metric_id, [c_void_p, c_char_p, c_char_p, c_int, c_uint32]),
    "assay_build_metric_text": (None, [c_void_p, assay_metric_id, c_char_p, c_char_p, c_bool]),
    "assay_build_metric_total": (None, [c_void_p, assay_metric_id, c_uint64]),
    "assay_build_metric_total_wide": (None, [c_void_p, assay_metric_id, assay_wide]),
    "assay_build_metric_kind": (None, [c_void_p, assay_metric_id, c_int]),
    "assay_build_metric_default": (None, [c_void_p, assay_metric_id]),
    "assay_build_metric_period": (None, [c_void_p, assay_metric_id, c_int64, c_char_p, c_char_p]),
    "assay_build_scope": (assay_scope_id, [c_void_p, assay_metric_id, c_int, c_char_p, c_uint8]),
    "assay_build_stat": (assay_stat_id, [c_void_p, assay_scope_id, c_char_p, c_int]),
    "assay_build_stream": (assay_stream_id, [c_void_p, c_char_p]),
    "assay_build_tuple": (None, [c_void_p, c_char_p, c_uint64, c_uint64, c_uint32]),
    "assay_build_node": (assay_node_id, [c_void_p, c_void_p]),
    "assay_build_node_new": (assay_node_id, [c_void_p, c_void_p]),
    "assay_build_node_parent": (None, [c_void_p, assay_node_id, assay_node_id]),
    "assay_build_node_line": (None, [c_void_p, assay_node_id, c_uint32]),
    "assay_build_node_calls": (None, [c_void_p, assay_node_id, c_uint64]),
    "assay_build_tree_whole": (None, [c_void_p]),
    "assay_build_tree_drop": (None, [c_void_p]),
    "assay_build_value": (None, [c_void_p, assay_stream_id, assay_node_id, assay_scope_id, c_uint64]),
    "assay_build_summary": (None, [c_void_p, assay_node_id, assay_stat_id, c_uint64]),
    "assay_build_backing": (None, [c_void_p, c_void_p, c_void_p]),
    "assay_build_label": (assay_label_id, [c_void_p, c_void_p]),
    "assay_build_label_set": (assay_set_id, [c_void_p, c_void_p, c_uint32]),
    "assay_build_sample_metrics": (None, [c_void_p, c_void_p, c_uint32]),
    "assay_build_sample": (None, [c_void_p, assay_stream_id, assay_node_id, assay_set_id, c_void_p]),
    "assay_build_graph_metrics": (None, [c_void_p, c_void_p, c_uint32]),
    "assay_build_self": (None, [c_void_p, c_void_p, c_void_p, c_uint32]),
    "assay_build_call": (None, [c_void_p, c_void_p, assay_func_id, c_uint64, c_void_p, c_uint32]),
    "assay_build_call_more": (None, [c_void_p, c_void_p, c_void_p, c_uint32]),
    "assay_build_jump": (None, [c_void_p, c_void_p, c_void_p, c_uint64, c_uint64, c_bool]),
    "assay_build_entered": (None, [c_void_p, assay_stream_id, assay_func_id, c_uint64]),
    "assay_build_nested": (None, [c_void_p, assay_stream_id, assay_func_id, c_void_p]),
    "assay_build_call_nested": (None, [c_void_p, c_uint32, c_void_p]),
    "assay_build_last_call": (c_uint32, [c_void_p]),
    "assay_build_nesting_known": (None, [c_void_p]),
    "assay_build_pairs": (None, [c_void_p, c_bool]),
    "assay_build_stated": (None, [c_void_p, assay_stream_id, assay_func_id, c_uint64, c_void_p, c_uint32]),
    "assay_builder_saturated": (c_bool, [c_void_p]),
    "assay_build_line_metrics": (None, [c_void_p, c_void_p, c_uint32]),
    "assay_build_line": (None, [c_void_p, c_void_p, c_uint64, c_void_p, c_void_p]),
    "assay_build_timeline": (None, [c_void_p, c_void_p, c_uint32]),
    "assay_build_timeline_stream": (None, [c_void_p, assay_stream_id, c_char_p, c_bool]),
    "assay_build_event": (None, [c_void_p, assay_stream_id, c_int64, c_int64, assay_node_id, c_void_p]),
    "assay_build_event_set": (None, [c_void_p, assay_set_id]),
    "assay_build_marker": (None, [c_void_p, c_void_p]),
    "assay_build_counter": (assay_counter_id, [c_void_p, c_void_p]),
    "assay_build_reading": (None, [c_void_p, assay_counter_id, c_int64, c_double]),
    "assay_build_coverage_line": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_lines": (None, [c_void_p, assay_str_id, assay_file_id, c_void_p, c_void_p, c_uint32]),
    "assay_build_coverage_func": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_branch": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_branches": (None, [c_void_p, assay_str_id, assay_file_id, c_void_p]),
    "assay_build_coverage_sum": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_condition": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_region": (None, [c_void_p, c_void_p]),
    "assay_build_coverage_stated": (None, [c_void_p, c_void_p]),
    "assay_build_attribute": (None, [c_void_p, assay_stream_id, c_char_p, c_size_t, c_char_p, c_size_t]),
    "assay_build_count": (None, [c_void_p, c_char_p, c_uint64]),
    "assay_build_source": (None, [c_void_p, c_char_p, c_char_p, c_char_p]),
    "assay_build_offers": (None, [c_void_p, c_uint32]),
    "assay_build_warning": (None, [c_void_p, c_void_p]),
    "assay_cancel_set": (None, [c_void_p, c_void_p]),
    "assay_cancelled": (c_bool, []),
    "assay_feature_text": (c_char_p, [c_uint32]),
    "assay_format_count": (c_size_t, []),
    "assay_format_at": (c_void_p, [c_size_t]),
    "assay_format_find": (c_void_p, [c_char_p]),
    "assay_format_option_at": (c_bool, [c_void_p, c_int, c_size_t, c_void_p]),
    "assay_format_option_find": (c_bool, [c_void_p, c_int, c_char_p, c_void_p]),
    "assay_read": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_read_memory": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_read_from": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_probe": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_probe_from": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_check": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_check_from": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_check_free": (None, [c_void_p]),
    "assay_dump": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_dump_from": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_write": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_write_fn": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_losses_free": (None, [c_void_p]),
    "assay_convert": (c_int, [c_char_p, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_convert_from": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_filter_apply": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_top_new": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_top_free": (None, [c_void_p]),
    "assay_top_order": (None, [c_void_p, c_void_p, c_int, c_uint32, c_void_p]),
    "assay_table_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_table_free": (None, [c_void_p]),
    "assay_changes_read": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_changes_read_memory": (c_int, [c_void_p, c_size_t, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_changes_git": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_changes_free": (None, [c_void_p]),
    "assay_changed_line": (c_uint32, [c_void_p, c_uint32]),
    "assay_patch_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_patch_free": (None, [c_void_p]),
    "assay_category_name": (c_char_p, [c_uint]),
    "assay_coverage_diff_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_coverage_diff_free": (None, [c_void_p]),
    "assay_profile_diff_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_profile_diff_free": (None, [c_void_p]),
    "assay_diff_growth": (c_double, [c_void_p, c_size_t, c_void_p]),
    "assay_verb_count": (c_size_t, []),
    "assay_verb_at": (c_void_p, [c_size_t]),
    "assay_verb_find": (c_void_p, [c_char_p]),
    "assay_verb_option_at": (c_bool, [c_void_p, c_size_t, c_void_p]),
    "assay_reporter_new": (c_int, [c_char_p, c_void_p, c_size_t, c_size_t, c_void_p, c_void_p, c_void_p]),
    "assay_reporter_changes": (None, [c_void_p, c_void_p]),
    "assay_reporter_want": (c_uint32, [c_void_p]),
    "assay_reporter_add": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_reporter_file": (c_int, [c_void_p, c_char_p, c_void_p]),
    "assay_reporter_files": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "assay_reporter_is_over": (c_bool, [c_void_p]),
    "assay_reporter_end": (c_int, [c_void_p, c_void_p]),
    "assay_reporter_is_no": (c_bool, [c_void_p]),
    "assay_reporter_free": (None, [c_void_p]),
    "assay_report": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p, c_void_p, c_void_p]),
    "assay_report_written": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_annotate_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_annotate_free": (None, [c_void_p]),
    "assay_annotate_count": (c_uint32, [c_void_p]),
    "assay_annotate_path": (assay_slice, [c_void_p, c_uint32]),
    "assay_annotate_file": (c_int, [c_void_p, c_uint32, c_void_p, c_void_p]),
    "assay_version": (c_char_p, []),
    "assay_libraries": (c_char_p, []),
    "assay_missing_libraries": (c_char_p, []),
    "assay_callers_new": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_callers_free": (None, [c_void_p]),
    "assay_coverage_count": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_coverage_figures": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_coverage_figures_stated": (None, [c_void_p, c_void_p, c_void_p]),
    "assay_coverage_percent": (c_double, [c_uint64, c_uint64]),
    "assay_coverage_drop": (c_double, [c_uint64, c_uint64, c_uint64, c_uint64]),
    "assay_coverage_is_under": (c_bool, [c_uint64, c_uint64, c_double]),
    "assay_coverage_table_new": (c_int, [c_void_p, c_int, c_int, c_uint64, c_void_p, c_void_p]),
    "assay_coverage_table_free": (None, [c_void_p]),
    "assay_graph_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_mcp_new": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p]),
    "assay_mcp_serve": (c_int, [c_void_p, c_int, c_int, c_void_p]),
    "assay_mcp_free": (None, [c_void_p]),
    "assay_handle_find": (c_bool, [c_char_p, c_void_p, c_size_t]),
    "assay_merger_new": (c_void_p, [c_void_p, c_void_p]),
    "assay_merger_free": (None, [c_void_p]),
    "assay_merger_add": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_merger_finish": (c_void_p, [c_void_p, c_void_p]),
    "assay_paths_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_paths_free": (None, [c_void_p]),
    "assay_estimate_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_query_new": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_query_free": (None, [c_void_p]),
    "assay_query_file": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "assay_query_profile": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_void_p]),
    "assay_query_prepare": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_rows_column_count": (c_uint, [c_void_p]),
    "assay_rows_column_name": (c_char_p, [c_void_p, c_uint]),
    "assay_rows_next": (c_int, [c_void_p, c_void_p]),
    "assay_rows_cell": (None, [c_void_p, c_uint, c_void_p]),
    "assay_rows_free": (None, [c_void_p]),
    "assay_rows_print": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_query_tree": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_query_table_at": (c_void_p, [c_void_p, c_size_t]),
    "assay_named_query_at": (c_void_p, [c_size_t]),
    "assay_store_id_text": (c_char_p, [c_void_p, c_void_p]),
    "assay_store_id_is_none": (c_bool, [c_void_p]),
    "assay_store_find": (c_int, [c_char_p, c_void_p, c_size_t, c_void_p]),
    "assay_store_create": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_store_open": (c_int, [c_char_p, c_void_p, c_void_p]),
    "assay_store_close": (None, [c_void_p]),
    "assay_store_path": (c_char_p, [c_void_p]),
    "assay_store_git": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_trust_git": (None, []),
    "assay_store_traces_new": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_store_abandon": (None, [c_void_p]),
    "assay_store_traces_free": (None, [c_void_p]),
    "assay_store_refs_new": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "assay_store_refs_free": (None, [c_void_p]),
    "assay_store_branch": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_store_ref_set": (c_int, [c_void_p, c_int, c_char_p, c_char_p, c_bool, c_void_p]),
    "assay_store_ref_remove": (c_int, [c_void_p, c_int, c_char_p, c_void_p]),
    "assay_store_checkout": (c_int, [c_void_p, c_int, c_char_p, c_char_p, c_void_p]),
    "assay_store_reset": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_reflog_new": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_reflog_free": (None, [c_void_p]),
    "assay_store_resolve": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_report_new": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_report_free": (None, [c_void_p]),
    "assay_store_walk_new": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_walk_next": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_store_walk_free": (None, [c_void_p]),
    "assay_store_profile": (c_int, [c_void_p, c_char_p, c_bool, c_void_p, c_void_p]),
    "assay_store_changes": (c_int, [c_void_p, c_void_p, c_void_p, c_uint64, c_void_p, c_void_p]),
    "assay_store_export_json": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_table_new": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_table_free": (None, [c_void_p]),
    "assay_store_import_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_import_add": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_import_json": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t, c_void_p]),
    "assay_store_import_losses": (c_void_p, [c_void_p]),
    "assay_store_import_end": (c_int, [c_void_p, c_void_p, c_void_p]),
    "assay_store_import_free": (None, [c_void_p]),
    "assay_store_strip": (c_int, [c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_gc": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_config_new": (c_int, [c_char_p, c_uint, c_char_p, c_void_p, c_void_p]),
    "assay_store_config_get": (c_char_p, [c_void_p, c_char_p]),
    "assay_store_config_free": (None, [c_void_p]),
    "assay_store_config_name": (c_bool, [c_char_p, c_void_p]),
    "assay_store_config_file": (c_bool, [c_char_p, c_int, c_void_p]),
    "assay_store_config_edit": (c_int, [c_char_p, c_int, c_char_p, c_char_p, c_void_p]),
    "assay_store_modules_new": (c_int, [c_char_p, c_char_p, c_void_p, c_void_p]),
    "assay_store_modules_free": (None, [c_void_p]),
    "assay_store_modules_edit": (c_int, [c_void_p, c_int, c_char_p, c_char_p, c_void_p]),
    "assay_store_print_log": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_print_show": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_store_print_result": (c_int, [c_void_p, c_void_p, c_char_p, c_void_p, c_void_p, c_void_p]),
    "assay_chart_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_chart_free": (None, [c_void_p]),
    "assay_view_new": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "assay_view_free": (None, [c_void_p]),
    "assay_viewer_new": (c_int, [c_void_p, c_size_t, c_void_p, c_void_p, c_void_p]),
    "assay_viewer_listen": (c_int, [c_void_p, c_uint16, c_void_p]),
    "assay_viewer_address": (c_char_p, [c_void_p]),
    "assay_viewer_export": (c_int, [c_void_p, c_char_p, c_void_p]),
    "assay_viewer_free": (None, [c_void_p]),
}

CALLBACKS = {
    "assay_cell_fn": CFUNCTYPE(c_int, c_void_p, c_void_p),
    "assay_cancel_fn": CFUNCTYPE(c_int, c_void_p),
    "assay_progress_fn": CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64),
    "assay_pull_fn": CFUNCTYPE(c_int64, c_void_p, c_void_p, c_size_t),
    "assay_text_fn": CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t),
}
