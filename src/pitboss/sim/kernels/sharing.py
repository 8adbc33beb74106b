"""What a kernel is handed, unpacked once: a pass of the compiler's for kernels made of many inlined parts.

A kernel gets its tables as tuples of tuples. Every part that is put into it names them again, and without this pass
each name is a copy of hundreds of words, which the compiler takes longer to remove than to do all the rest. Nothing
that a kernel is handed is ever assigned again, so all names of one thing become one name, found where the kernel
begins. How long a tuple is, and so which parts of a round a form has, is known from its type.
"""

from __future__ import annotations

from typing import Any

from numba.core import compiler_machinery, ir, ir_utils, postproc, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass
from numba.core.untyped_passes import InlineInlinables

MACHINERY: Any = compiler_machinery
IR: Any = ir
UTILS: Any = ir_utils
PROCESSING: Any = postproc
BUILDER: Any = DefaultPassBuilder

Blocks = dict[int, Any]
Path = tuple[str, ...]
"""An argument of the kernel, and the attributes that lead from it to something."""


@MACHINERY.register_pass(mutates_CFG=False, analysis_only=False)
class ShareWhatIsGiven(FunctionPass):
    """Gives one name to each thing that a kernel is handed, however many parts it is made of."""

    _name = "share_what_is_given"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        """Rename, and say whether anything was."""
        blocks = state.func_ir.blocks
        once = _find_single(blocks)
        paths = _find_paths(once)
        if not paths:
            return False
        handed = dict(zip(state.func_id.arg_names, state.args, strict=True))
        _fold_lengths(once, paths, handed)
        _give_one_name(blocks, paths)
        state.func_ir._definitions = UTILS.build_definitions(blocks)
        PROCESSING.PostProcessor(state.func_ir).run()
        return True


def _find_single(blocks: Blocks) -> dict[str, Any]:
    """What is assigned in one place only."""
    found: dict[str, list[Any]] = {}
    for block in blocks.values():
        for statement in block.find_insts(IR.Assign):
            found.setdefault(statement.target.name, []).append(statement)
    return {name: places[0] for name, places in found.items() if len(places) == 1}


def _find_paths(once: dict[str, Any]) -> dict[str, Path]:
    """The names of what the kernel is handed and of what lies in it."""
    paths: dict[str, Path] = {}
    grew = True
    while grew:
        before = len(paths)
        for name, statement in once.items():
            value = statement.value
            if isinstance(value, IR.Arg):
                paths[name] = (value.name,)
            elif isinstance(value, IR.Var) and value.name in paths:
                paths[name] = paths[value.name]
            elif isinstance(value, IR.Expr) and value.op == "getattr" and value.value.name in paths:
                paths[name] = (*paths[value.value.name], value.attr)
        grew = len(paths) > before
    return paths


def _fold_lengths(once: dict[str, Any], paths: dict[str, Path], handed: dict[str, Any]) -> None:
    """Write down lengths of tuples, which are part of their types."""
    builtin = {
        name
        for name, statement in once.items()
        if isinstance(statement.value, IR.Global) and statement.value.value is len
    }
    for statement in once.values():
        value = statement.value
        if isinstance(value, IR.Expr) and value.op == "call" and value.func.name in builtin:
            path = paths.get(value.args[0].name)
            found = _type_at(path, handed) if path is not None else None
            if isinstance(found, types.BaseTuple):
                statement.value = IR.Const(len(found), statement.loc)


def _type_at(path: Path, handed: dict[str, Any]) -> Any:
    """The type of what a path leads to, if it leads through tuples."""
    found: Any = handed.get(path[0])
    for field in path[1:]:
        fields: tuple[str, ...] = getattr(found, "fields", ())
        if field not in fields:
            return None
        found = found.types[fields.index(field)]
    return found


def _give_one_name(blocks: Blocks, paths: dict[str, Path]) -> None:
    """Name things where the kernel begins, and use those names everywhere."""
    entry = blocks[min(blocks)]
    arguments = [one for one in entry.body if isinstance(one, IR.Assign) and isinstance(one.value, IR.Arg)]
    loc, scope = entry.loc, arguments[0].target.scope
    named: dict[Path, Any] = {(statement.value.name,): statement.target for statement in arguments}
    head: list[Any] = list(arguments)
    for path in sorted(set(paths.values()), key=len):
        for end in range(2, len(path) + 1):
            if path[:end] not in named:
                target = IR.Var(scope, f"${'.'.join(path[:end])}.given", loc)
                named[path[:end]] = target
                head.append(IR.Assign(IR.Expr.getattr(named[path[: end - 1]], path[end - 1], loc), target, loc))
    gone = {name for name, path in paths.items() if name != named[path].name}
    dropped = {id(one) for one in arguments}
    for block in blocks.values():
        for one in block.body:
            if isinstance(one, IR.Del) or (isinstance(one, IR.Assign) and one.target.name in gone):
                dropped.add(id(one))
        block.body = [one for one in block.body if id(one) not in dropped]
    entry.body = head + entry.body
    UTILS.replace_vars(blocks, {name: named[paths[name]] for name in gone})


class SharingCompiler(CompilerBase):
    """Numba's compiler with the pass of this module."""

    def define_pipelines(self) -> list[Any]:
        """The usual passes, and what is given shared after parts have been put in."""
        passes = BUILDER.define_nopython_pipeline(self.state)
        passes.add_pass_after(ShareWhatIsGiven, InlineInlinables)
        passes.finalize()
        return [passes]
