import { describe, expect, it } from 'vitest'
import { understandPython } from './python.ts'

function effects(text: string, file: string | null = null): unknown {
  const found = understandPython(text, file)
  if (found.kind === 'unclear') return found.why
  return [
    ...found.effects.map(({ kind, paths, run }) =>
      [kind, ...paths, ...(run === null ? [] : [JSON.stringify(run)])].join(' '),
    ),
    ...found.imports.map(({ module, names }) => `imports ${module} ${names.join(',')}`.trim()),
    ...found.folders.map((name) => `folder ${name}`),
  ]
}

describe('Python that is understood whole', () => {
  it.each<[string, readonly string[]]>([
    ['print(1+1)', []],
    ['from app import double; print(double(2))', ['imports app double']],
    ["open('made.txt','w').write('x')", ['write made.txt']],
    ["import os; print(len(os.listdir('src')))", ['read src']],
    ["from pathlib import Path as P; P('made.txt').write_text('x')", ['write made.txt']],
    ['import sys; print(sys.argv)', []],
    ["import json\nwith open('a.json', encoding='utf-8') as f:\n    print(json.load(f)['a'])", ['read a.json']],
    [
      "import subprocess\nsubprocess.run(['git', 'status'], check=True)",
      ['run {"kind":"words","words":["git","status"]}'],
    ],
    ['def f(x: int = 1) -> str:\n    return f"{x!r:>{10}} {x:.2f} {{}}"\nprint(f())', []],
    ['class A(Exception):\n    def __init__(self, x):\n        super().__init__(x)\n        self.x = x', []],
    ["import os\nprint(os.environ.get('CI'), os.getenv('LANG'))", []],
    ["print('{:>5} {name}'.format(1, name=2))", []],
    ['from . import a\nfrom .b import c as d', ['imports . a', 'imports .b c']],
    ['import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)', []],
    ['x = [i for i in range(3) if i]\nd = {}\nd["a"] = x[0]\nprint(d, *x)', []],
    ["raise ValueError('x') from None", []],
  ])('%s', (text, expected) => {
    expect(effects(text)).toEqual(expected)
  })

  it.each<[string, readonly string[]]>([
    [
      'import sys, os\nsys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))\nimport app',
      ['imports app', 'folder /w'],
    ],
    [
      'from pathlib import Path\nimport sys\nsys.path.insert(0, str(Path(__file__).resolve().parent.parent))',
      ['folder /w'],
    ],
    ["import os\nopen(os.path.join(os.path.dirname(__file__), 'a.txt'))", ['read /w/tests/a.txt']],
  ])('finds files beside itself: %s', (text, expected) => {
    expect(effects(text, '/w/tests/test_a.py')).toEqual(expected)
  })
})

describe('Python in its usual places', () => {
  it.each([
    'from dataclasses import dataclass\n@dataclass(frozen=True)\nclass A:\n    x: int = 1',
    'import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int',
    'from functools import wraps\ndef d(f):\n    @wraps(f)\n    def g(): return f()\n    return g',
    'from enum import Enum\nclass A(str, Enum):\n    X = 1',
    'from abc import ABC, ABCMeta\nclass A(metaclass=ABCMeta): pass',
    'x = 1\nprint(type(x), type(x).__name__, type(x) is int)',
    "import logging\nlogging.info('%s', 1)",
    'import math\nx = max(math.pi, 2)\ny = [math.pi for z in range(2)]',
  ])('%s', (text) => {
    expect(effects(text)).toEqual([])
  })
})

describe('Python that is not understood', () => {
  it.each([
    // Code made of text.
    "eval('1')",
    "exec('1')",
    "compile('1', '', 'eval')",
    "__import__('os').system('x')",
    "e = eval\ne('1')",
    "[eval][0]('1')",
    "print.__self__.eval('1')",
    '().__class__.__base__.__subclasses__()',
    "getattr(x, 'y')",
    "globals()['x']",
    "vars()['x']",
    'locals()',
    '__builtins__.eval',
    '(lambda: 0).__globals__',
    'def f(): yield\nf().gi_frame.f_back.f_globals',
    'try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame',
    'match x:\n    case object(__class__=c): pass',
    'match x:\n    case str(format=f): f(1)',
    "'{0.__class__}'.format(x)",
    "'{0.x}'.format(x)",
    "'{0[a]}'.format(x)",
    "('{0.' + 'x}').format(x)",
    "'{0._' '_class__}'.format(x)",
    "'\\x7b0.a\\x7d'.format(x)",
    "str.format('{0.x}', x)",
    "f = '{0.x}'\nf.format(x)",
    "'{0.x}'.format_map(x)",
    'import pathlib\npathlib.PurePath("x")',
    'import pathlib\npathlib.Path("x")._flavour',
    'import unittest\nunittest.TestCase._getAssertEqualityFunc(f, 1, 1)',
    'f._type_equality_funcs = {int: "x"}',
    // Unusual letters: Python reads `ｏｓ` as `os`.
    'ｅval("1")',
    'import ｏｓ',
    '# coding: utf-7\nprint(1)',
    '#!/usr/bin/python\n# vim: set fileencoding=utf7 :\nprint(1)',
    '# a\rimport os; os.system("x")',
    'print(1)\fimport os',
    // Modules.
    "import os; os.system('x')",
    "import os as o; o.popen('x')",
    'from os import system',
    'from os import *',
    "from os import path as p; p.os.system('x')",
    "import os; f = os; f.system('x')",
    "import os; [os][0].system('x')",
    "import os; os.path.os.system('x')",
    'import os; os.path.join = f',
    "import os; os.chdir('/')",
    'import os; os.fork()',
    'import os; os.kill(1, 9)',
    "import os; os.environ['PATH'] = '.'",
    "import os; os.putenv('A', 'b')",
    "import os; os.rename('a', 'b')",
    "import os; os.symlink('a', 'b')",
    "import shutil; shutil.rmtree('a')",
    "import subprocess; subprocess.run('ls', shell=True)",
    "import subprocess; subprocess.run(['ls'], shell=True)",
    "import subprocess; subprocess.run(['ls'], env={})",
    "import subprocess; subprocess.run(['ls'], cwd='/')",
    "import subprocess; subprocess.run(['ls'] + x)",
    'import subprocess; subprocess.run(*x)',
    "import subprocess; subprocess.run(['ls'], **x)",
    "import subprocess; subprocess.Popen(['ls'])",
    'import ctypes',
    'import pickle',
    'import marshal',
    'import importlib',
    'import runpy',
    'import socket',
    'import urllib.request',
    'import asyncio',
    'import builtins',
    'import __main__',
    'import antigravity',
    'import _posixsubprocess',
    'import unittest.__main__',
    "import enum; enum.bltns.eval('1')",
    "import json; json.codecs.open('x')",
    "import random; random._os.system('x')",
    'import warnings; warnings.catch_warnings()._module',
    'import functools; functools.singledispatch(f)',
    "import operator; operator.attrgetter('a')",
    'import typing; typing.get_type_hints(f)',
    'import string; string.Formatter()',
    "import sys; sys.modules['os']",
    'import sys; sys.path.insert(0, sys.argv[1])',
    "import sys; sys.path = ['/tmp']",
    "import sys; sys.path.append('lib')",
    "import argparse; argparse.ArgumentParser(**{'fromfile' + '_prefix_chars': '@'})",
    'import sys; sys.settrace(f)',
    "import logging; logging.basicConfig(filename='/x')",
    "import unittest; unittest.main(argv=['x', 'evil'])",
    "import os\nimport helper as os\nos.path.join('a')",
    "from app import open\nopen('x')",
    "def open(x): pass\nopen('a')",
    // Files that are not named.
    'open(x)',
    "open('x', mode)",
    "open('x', 'rb', 0)",
    "open('x', opener=f)",
    "open('x', buffering=0)",
    "f = open\nf('x')",
    "print(map(open, ['x']))",
    "type(open('x').buffer.raw)('/etc/passwd')",
    "open('x').buffer.raw.__init__('/etc/passwd', 'w')",
    "open('x', 'rb').detach()",
    "from pathlib import Path\np = Path('a')\np.unlink()",
    "from pathlib import Path\nPath('a').unlink()",
    "from pathlib import Path\nfor p in Path('.').glob('*'): p.unlink()",
    "from os.path import dirname\ndirname = lambda p: '/etc'\nopen(dirname('/a/b'))",
    "from os.path import dirname\ndef f(dirname): open(dirname('/a/b'))",
    "def str(x): return '/etc/passwd'\nopen(str('a'))",
    "__file__ = '/etc/x'\nimport os\nopen(os.path.dirname(__file__))",
    "for __file__ in ['/etc/x']: pass",
    "__path__ = ['/tmp']",
    "__loader__.load_module('x')",
    'breakpoint()',
    "unknown('x')",
    // Variables of the environment.
    'import os; print(os.environ)',
    "import os; print(os.environ['TOKEN'])",
    'import os; print(os.getenv(x))',
    'from os import environ; print(dict(environ))',
    // Strings that versions of Python read in different ways.
    'f"{x["a"]}"',
    "f'{eval(1)}'",
    "f'{x:{eval(1)}}'",
    "f'{x!r:{x.__class__}}'",
    "f'\\N{DASH}'",
    "rf'{x\\n}'",
    "u8'x'",
    // Members and classes made of text.
    "from dataclasses import dataclass\ndataclass(type('X', (), {'__annotations__': {'a or 1': int}}))",
    'from dataclasses import dataclass\n@dataclass(X)\nclass A: pass',
    'from dataclasses import dataclass\n@dataclass\nclass A(B):\n    x: int',
    "class A: pass\ntype(A)('X', (), {})",
    't = type(x)',
    "from enum import Enum\nEnum('X', {'__cause__': 1}, type=Exception)",
    "from abc import ABCMeta\nABCMeta('X', (), {})",
    "import functools\ndef f(): pass\nfunctools.wraps(f, assigned=['__globals__'])",
    'import functools\nx = functools.wraps',
    "import contextlib\nclass R(contextlib.redirect_stdout):\n    _stream = 'modules'",
    "import logging\nlogging.error('x', exc_info=x)",
    "import logging\nlogging.error('x', **x)",
    'import logging\nlogging.getLogger().handlers',
    'print(type(int) == C())',
    'type(int) in C()',
    'class A:\n    def __reduce_ex__(self, p): return (f, ())',
    'class A:\n    def __getattribute__(self, name): return 1',
    'def load_tests(loader, tests, pattern): pass',
    'from a import f as load_tests',
    // Known names with another meaning.
    '@f\ndef __file__(): pass',
    'match x:\n    case str(__file__): pass',
    'import os\nos.fspath, x = f, 1',
    'import os\n[os.getcwd] = [f]',
    'import os\nfor os.getcwd in [f]: pass',
    'import os\nwith f() as os.getcwd: pass',
    'import os\nos.getcwd: int = f',
    "import os\nos.environ['PATH'], x = 'bin', 1",
    "import subprocess\nsubprocess.run(['echo', 'a'], -1, '/bin/sh')",
    "x = '''\nopen",
  ])('%s', (text) => {
    expect(effects(text)).toEqual(expect.any(String))
    expect(effects(text, '/w/a.py')).toEqual(expect.any(String))
  })

  it('gives up on long and deeply nested code in little time', () => {
    const start = performance.now()
    for (const text of [
      '('.repeat(60_000),
      "f'{".repeat(20_000),
      `${'import a1\n'.repeat(5_000)}eval`,
      'os.path.join('.repeat(5_000),
    ])
      expect(effects(text)).toEqual(expect.any(String))
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
