import { describe, expect, it } from 'vitest'
import { look, manifest, type Project } from '../fixture.mts'

describe('a script in another language', () => {
  const project: Project = {
    'harm.py': 'import os\nimport helper\n\nos.system("rm -rf ~")\n',
    'helper.py': 'import shutil\nshutil.rmtree("src")\n',
    'fine.py': 'import json\nprint(json.dumps({"a": 1}))\n',
    'indirect.py': 'import helper\n',
    'harm.mjs':
      "import { execSync } from 'node:child_process'\nimport './lib/more.mjs'\nexecSync('git push --force')\n",
    'lib/more.mjs': "import fs from 'node:fs'\nfs.readFileSync('/home/you/.ssh/id_rsa')\n",
    'fine.mjs': 'console.log(1)\n',
    'harm.pl': 'system("rm -rf /");\n',
    'harm.rb': "require_relative './more'\nputs 1\n",
    'more.rb': "system('rm -rf /')\n",
    'harm.awk': 'BEGIN { system("rm -rf /") }\n',
    'computed.py': 'import os, sys\nos.system(sys.argv[1])\n',
    'token.js': 'console.log(process.env.DEPLOY_TOKEN)\n',
    'all.js': 'const { env } = process\nconsole.log(env)\n',
    'key.js': "console.log(process['env'].SOME_VALUE)\n",
    'joined.js': "console.log(process.env['DEPLOY_' + 'TOKEN'])\n",
    'mode.js': "if (process.env.NODE_ENV === 'test' && process.env['CI']) console.log({ env: 1 })\n",
    'secret_value.py': 'import os\nprint(os.environ.get("DEPLOY_TOKEN"))\n',
    'mode.py': 'import os\nprint(os.getenv("CI"), os.environ["LANG"])\n',
    'token.pl': 'print $ENV{DEPLOY_TOKEN};\n',
    'token.awk': 'BEGIN { print ENVIRON["DEPLOY_TOKEN"] }\n',
    'home.js': "console.log(require('fs').readFileSync(process.env.HOME + '/.ssh/id_rsa', 'utf8'))\n",
    'net.py': 'import requests\nrequests.get("http://x.example")\n',
    'shadow/run.py': 'import tempfile\nprint(1)\n',
    'shadow/random.py': 'print(2)\n',
    'run.sh': '#!/usr/bin/env python3\nimport os\nos.remove("/etc/passwd")\n',
    'package.json': manifest({ x: 'node harm.mjs' }),
  }

  it.each<[string, string, RegExp]>([
    ['python3 harm.py', 'critical', /^harm\.py:4 `os\.system/],
    ['python3 indirect.py', 'high', /^helper\.py:2 `shutil/],
    ['node harm.mjs', 'high', /harm\.mjs:3|more\.mjs:2/],
    ['npm run x', 'high', /harm\.mjs:3|more\.mjs:2/],
    ['perl harm.pl', 'critical', /^harm\.pl:1/],
    ['ruby harm.rb', 'critical', /^more\.rb:1/],
    ['awk -f harm.awk', 'critical', /^harm\.awk:1/],
    ['./run.sh', 'critical', /^run\.sh:3/],
  ])('is rated by the acts in it and in the modules it loads: %s', async (command, level, why) => {
    const { risk } = await look(command, project)
    expect(risk.level).toBe(level)
    expect(risk.reasons[0]?.text).toMatch(why)
  })

  it.each([
    'python3 fine.py',
    'node fine.mjs',
    'node mode.js',
    'python3 mode.py',
    'node --test',
    'python3 -u fine.py a b',
  ])('is seen through whole when it does nothing: %s', async (command) => {
    const { opaque, risk, seen } = await look(command, project)
    expect({ opaque, level: risk.level, known: seen !== undefined }).toEqual({
      opaque: [],
      level: 'low',
      known: true,
    })
  })

  it.each<[string, RegExp]>([
    ['python3 computed.py', /computed/],
    ['node token.js', /reads environment variables/],
    ['node all.js', /reads environment variables/],
    ['node key.js', /reads environment variables/],
    ['node joined.js', /reads environment variables/],
    ['python3 secret_value.py', /reads environment variables/],
    ['perl token.pl', /reads environment variables/],
    ['awk -f token.awk', /reads environment variables/],
    ['node home.js', /reads files with computed names/],
    ['python3 net.py', /contacts a server/],
    ['python3 shadow/run.py', /replaces a module of Python/],
    ['node --require ./x.js fine.mjs', /does not exist/],
    ['node --experimental-loader ./fine.mjs harm.mjs', /may load other code/],
    ['node --test --test-reporter=./fine.mjs', /may load other code/],
    ['node -p 1 -r /tmp/x.js', /may be any module/],
    ['node -pe 1 --title=x -r /tmp/x.js', /may load other code/],
    ['node -p 1 --cpu-prof', /may load other code/],
    ['node -p -r', /not known/],
    ['node -e 1 --eval=2', /not known/],
    ['.venv/bin/python3 fine.py', /is a program of the project/],
    ['python3 absent.py', /does not exist/],
    ['node "$X"', /not known/],
  ])('is opaque where its acts are computed: %s', async (command, why) => {
    expect((await look(command, project)).opaque.join('\n')).toMatch(why)
  })
})

describe('a tool of the project', () => {
  const bin = '#!/usr/bin/env node\n'
  const project: Project = {
    'package.json': manifest({ test: 'vitest run', lint: 'eslint .', odd: 'strange' }),
    'node_modules/.bin/vitest': bin,
    'node_modules/.bin/eslint': bin,
    'node_modules/.bin/strange': bin,
    'vitest.config.ts': "import { defineConfig } from 'vitest/config'\nexport default defineConfig({})\n",
    'eslint.config.js': "import { execSync } from 'node:child_process'\nexecSync('rm -rf ~')\n",
    'py/conftest.py': 'import os\nos.system("rm -rf ~")\n',
    'ini/pytest.ini': '[pytest]\naddopts = -p evil\n',
    'ok/test_a.py': '',
  }

  it.each([
    'npm test',
    'npx vitest run',
    './node_modules/.bin/vitest',
    'cd ok && pytest -q',
    'cd ok && python3 -m pytest',
  ])('is seen through by its configuration: %s', async (command) => {
    expect((await look(command, project)).opaque).toEqual([])
  })

  it.each(['npm run lint', 'npx eslint .', 'cd py && pytest'])(
    'is rated by what its configuration does: %s',
    async (command) => {
      expect((await look(command, project)).risk.level).toBe('critical')
    },
  )

  it.each<[string, string, RegExp]>([
    ['sh', 'true', /`node_modules\/\.bin\/sh` is started instead/],
    ['node', 'node ok.js', /started instead/],
    ['git', 'git status', /not the system’s/],
    ['make', 'make', /not the system’s/],
    ['npm', 'npm run other', /not the system’s/],
    ['just', 'just', /`just` is a program of a package/],
    ['python3.11', './fine.py', /`python3.11`, a program of a package/],
  ])('that has the name of another program makes scripts opaque: %s', async (name, test, why) => {
    const files = (program: string) => ({
      'package.json': manifest({ test, other: 'true' }),
      [`node_modules/.bin/${program}`]: bin,
      'fine.py': '#!/usr/bin/env python3.11\nprint(1)\n',
    })
    expect((await look('npm test', files(name))).opaque.join('\n')).toMatch(why)
    expect((await look('npm test', files('mocha'))).opaque.join('\n')).not.toMatch(why)
  })

  it.each<[string, RegExp]>([
    ['npm run odd', /program of a package/],
    ['npx other', /may download/],
    ['npx -y vitest', /may download/],
    ['npm test -- --globalSetup ./x.js', /may load other code/],
    ['npx vitest --config /tmp/x.ts', /may load other code/],
    ['cd ini && pytest', /sets `addopts`/],
    ['cd ok && pytest -p evil', /may load other code/],
    ['cd ok && pytest /tmp/tests', /may load other code/],
    ['cd ok && pytest @words', /may load other code/],
  ])('is opaque where it can’t be resolved: %s', async (command, why) => {
    expect((await look(command, project)).opaque.join('\n')).toMatch(why)
  })
})
