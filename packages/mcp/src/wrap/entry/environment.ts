/** What the environment of a gate can make of it. */
import { hash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import type { Json, JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import type { ClientShape } from '../config/clients.ts'
import type { Launcher } from './installation.ts'

/**
 * SECURITY: A1 variables that put other code into a gate, or take from it what keeps its words to a server secret and true:
 * those of the loader, of Node, of OpenSSL, of the C library's own modules, and of the shell that a launcher may be written for.
 * `HOME` and the like are not here: the gate does not go by them. `HTTPS_PROXY` is not: Node goes by it only with
 * `NODE_USE_ENV_PROXY`, which is.
 */
const CHANGING = new RegExp(
  `^(?:${[
    'LD_[A-Z0-9_]+',
    'DYLD_[A-Z0-9_]+',
    'NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|USE_SYSTEM_CA|USE_ENV_PROXY|COMPILE_CACHE|V8_COVERAGE)',
    'NODE_(?:PRESERVE_SYMLINKS|PRESERVE_SYMLINKS_MAIN|REPL_EXTERNAL_MODULE|ICU_DATA|CHANNEL_FD|REDIRECT_WARNINGS)',
    'NODE_(?:DEBUG|DEBUG_NATIVE|INSPECT_RESUME_ON_START|SNAPSHOT_[A-Z_]+)',
    'OPENSSL_[A-Z0-9_]+',
    'SSL_CERT_(?:FILE|DIR)',
    'SSLKEYLOGFILE',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'BASH_ENV',
    'BASH_FUNC_.*',
    'SHELLOPTS',
    'BASHOPTS',
    'PS4',
    'ENV',
  ].join('|')})$`,
)

/** A variable that can change what the gate itself does; undefined when there is none. */
export function changingVariable(env: Json | undefined, launcher: Launcher): string | undefined {
  if (!isObject(env)) return undefined
  const isFound = !startsNode(launcher)
  return Object.keys(env).find((name) => CHANGING.test(name) || (isFound && name === 'PATH'))
}

/**
 * Whether the first word is Node itself. Everything else is looked for on the `PATH`: a bare name is, and a script is no less,
 * since its first line has `env` look for `node`. Only the whole path of Node has a script's path behind it.
 */
function startsNode([program = '', ...rest]: Launcher): boolean {
  return isAbsolute(program) && rest.length > 0
}

/** The same of a whole server, or its file of variables, which nobody has read. */
export function changingMember(data: JsonObject, shape: ClientShape, launcher: Launcher): string | undefined {
  return changingVariable(data[shape.env], launcher) ?? (data['envFile'] === undefined ? undefined : 'envFile')
}

/** What `changingMember` looks at, in short, wherever in the file it is spelled: in TOML that may be a table of its own. */
export function environmentHash(data: JsonObject, shape: ClientShape): string {
  return hash('sha256', JSON.stringify([data[shape.env] ?? null, data['envFile'] ?? null]), 'hex')
}
