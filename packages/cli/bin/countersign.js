#!/usr/bin/env node
// Plain JavaScript that every Node can read, so that an old one gets one clear line instead of a stack trace.
import * as module from 'node:module'
import { userInfo } from 'node:os'

// SECURITY: A4 another process of the same user must not open the inspector with a signal.
process.on('SIGUSR1', () => {})
const [major, minor] = process.versions.node.split('.').map(Number)
if (process.platform === 'win32') {
  process.stderr.write('countersign: Windows is not supported; run it inside WSL\n')
  process.exit(125)
} else if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `countersign: needs Node 22.18 or newer and this is ${process.versions.node}; install Node 24, or run it with npx from the repository, which brings its own\n`,
  )
  process.exit(125)
} else {
  rememberCompiledCode()
  const { main } = await import('../dist/main.js')
  await main()
}

// SECURITY: A3 compiled code is code. Node's own choice of folder is in /tmp, where another user could be first.
function rememberCompiledCode() {
  try {
    module.enableCompileCache(`${userInfo().homedir}/.cache/countersign`)
  } catch {
    // Without an account or a cache everything works, only slower.
  }
}
