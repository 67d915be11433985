#!/usr/bin/env node
// Plain JavaScript that every Node can read, so that an old one prints one clear line instead of a stack trace.

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
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  printVersion()
} else if (process.argv[2] === 'hook') {
  const { main } = await import('../dist/hook.js')
  await main(enableCompileCache)
} else {
  enableCompileCache()
  const { main } = await import('../dist/main.js')
  await main()
}

/** Prints the version before anything else is loaded. */
function printVersion() {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.on('error', () => {}) // the reader went away
  process.stdout.write(`${version}\n`)
}

/**
 * Keeps compiled code from one start to the next, for each subcommand apart: V8 keeps the functions that the first start
 * compiled, and another subcommand needs others. SECURITY: A3 compiled code is code, so its folder, and every folder
 * that could be used to replace it, must be writable only by this account. Node's default folder is in /tmp, where
 * another user could be first.
 */
function enableCompileCache() {
  try {
    const { lstatSync, mkdirSync, statSync } = process.getBuiltinModule('node:fs')
    const { homedir, uid } = process.getBuiltinModule('node:os').userInfo()
    const folder = `${homedir}/.cache/countersign`
    if (!lstatSync(folder, { throwIfNoEntry: false })) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const isOwn = (stats) => stats.isDirectory() && (stats.uid === uid || stats.uid === 0) && (stats.mode & 0o022) === 0
    if (isOwn(statSync(homedir)) && isOwn(lstatSync(`${homedir}/.cache`)) && isOwn(lstatSync(folder)))
      process.getBuiltinModule('node:module').enableCompileCache(`${folder}/${cacheName(process.argv[2])}`)
  } catch {
    // Without an account or a cache everything works, only slower.
  }
}

/** A folder's name for the first word of the command line. */
function cacheName(word) {
  return /^[a-z]{1,16}$/.test(word ?? '') ? word : 'other'
}
