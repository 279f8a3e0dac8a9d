"""Scripts of tools/ as modules, for tests of what is in them: they have no ending that Python knows."""
import importlib.machinery
import importlib.util


def load_script(path):
    loader = importlib.machinery.SourceFileLoader(path.name.replace("-", "_"), str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
