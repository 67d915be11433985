import { realpathSync } from 'node:fs'

/** Where the sandbox has what the bridge needs. */
const NODE = '/run/countersign/node'
const SOCKET = '/run/countersign/proxy.sock'

/**
 * Runs inside the sandbox around the command: listens on the sandbox's own loopback, passes connections on to the proxy's
 * socket, tells programs about it by their variables, and ends as the command does.
 */
const SCRIPT = `
const { createServer, connect } = require('node:net')
const { spawn } = require('node:child_process')
const [socket, file, ...args] = process.argv.slice(1)
const fail = (error) => { process.stderr.write('countersign: ' + error.message + '\\n'); process.exit(126) }
const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socket, allowHalfOpen: true })
  const end = () => { client.destroy(); proxy.destroy() }
  client.on('error', end); proxy.on('error', end)
  client.pipe(proxy); proxy.pipe(client)
})
server.on('error', fail)
server.listen(0, '127.0.0.1', () => {
  const at = '127.0.0.1:' + server.address().port
  const http = 'http://' + at, socks = 'socks5h://' + at, local = 'localhost,127.0.0.1,::1'
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', npm_config_proxy: http, npm_config_https_proxy: http, npm_config_noproxy: local, YARN_HTTP_PROXY: http, YARN_HTTPS_PROXY: http, PIP_PROXY: http, CARGO_HTTP_PROXY: http, FTP_PROXY: http, ftp_proxy: http, HTTP_PROXY: http, http_proxy: http, HTTPS_PROXY: http, https_proxy: http, ALL_PROXY: socks, all_proxy: socks, RSYNC_PROXY: at, NO_PROXY: local, no_proxy: local }
  const child = spawn(file, args, { stdio: 'inherit', env })
  child.on('error', fail)
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.exit(128 + (require('node:os').constants.signals[signal] || 0))
  })
})
`

/** What to mount for the bridge, as arguments of bubblewrap. */
export function bridgeMounts(socketPath: string): readonly (readonly string[])[] {
  return [
    ['--ro-bind', realpathSync.native(process.execPath), NODE],
    ['--bind', socketPath, SOCKET],
  ]
}

/** The command with the bridge around it. */
export function bridged(command: readonly string[]): readonly string[] {
  return [NODE, '-e', SCRIPT, '--', SOCKET, ...command]
}
