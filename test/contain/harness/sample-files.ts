/** The decoy home. Nothing in it is real; every secret contains the word `decoy`. */
export const HOME_FILES: Readonly<Record<string, string>> = {
  '.bashrc': '# settings of the person\n',
  '.profile': '# settings of the person\n',
  '.gitconfig': '[user]\n\tname = Ana\n\temail = ana@example.com\n[init]\n\tdefaultBranch = main\n',
  '.ssh/id_ed25519': 'decoy-ssh-key\n',
  '.ssh/config': '# none\n',
  '.aws/credentials': '[default]\naws_secret_access_key = decoy-aws-key\n',
  '.netrc': 'machine example.com login ana password decoy-netrc\n',
  '.npmrc': '//registry.npmjs.org/:_authToken=decoy-npm\n',
  '.config/gh/hosts.yml': 'github.com:\n  oauth_token: decoy-gh\n',
  '.config/google-chrome/Default/Cookies': 'decoy-cookies\n',
  '.kube/config': 'token: decoy-kube\n',
  '.docker/config.json': '{"auths":{"registry.example":{"auth":"decoy-docker"}}}\n',
  '.git-credentials': 'https://ana:decoy-git@example.com\n',
  '.bash_history': 'export TOKEN=decoy-history\n',
  'other/keep.txt': 'a file of another project\n',
  'other/.env': 'KEY=decoy-other-env\n',
}

/** A folder of somebody else. */
export const OUTSIDE_FILES: Readonly<Record<string, string>> = {
  'keep.txt': 'keep\n',
  'keep.sh': '#!/bin/sh\necho keep\n',
  'folder/a.txt': 'a\n',
  'folder/b.txt': 'b\n',
  'key.pem': 'decoy-outside-key\n',
}

/** A small project with Node, Python and make. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    {
      name: 'app',
      version: '1.0.0',
      private: true,
      scripts: { test: 'node test.js', build: 'node build.js', lint: 'node lint.js', start: 'node server.js' },
    },
    null,
    2,
  )}\n`,
  'test.js': "const { add } = require('./src/add.js')\nif (add(1, 2) !== 3) process.exit(1)\nconsole.log('ok')\n",
  'build.js':
    "const fs = require('fs')\nfs.mkdirSync('dist', { recursive: true })\nfs.copyFileSync('src/add.js', 'dist/add.js')\n",
  'lint.js': "const fs = require('fs')\nfor (const f of fs.readdirSync('src')) console.log('checked', f)\n",
  'src/add.js': 'exports.add = (a, b) => a + b\n',
  'src/index.js': "const { add } = require('./add.js')\nconsole.log(add(1, 2))\n",
  'app.py': 'def add(a, b):\n    return a + b\n',
  'tests/test_app.py':
    'import unittest\nimport sys, os\nsys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))\nfrom app import add\n\n\nclass Add(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n',
  Makefile: 'all: out.txt\n\nout.txt: notes.txt\n\tcp notes.txt out.txt\n\ntest:\n\t@echo tested\n',
  'hello.c': '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n',
  'notes.txt': 'pear\napple\nfig\n',
  'data.csv': 'name,count\npear,3\napple,5\n',
  'data.json': '{"name":"app","items":[1,2,3]}\n',
  'index.html': '<p>hello</p>\n',
  'run.sh': '#!/bin/sh\necho running\n',
  '.env': 'KEY=decoy-project\n',
  '.gitignore': 'node_modules/\ndist/\n.env\n',
  'README.md': '# App\n\nA sample.\n',
}
