import type { CommandPart } from '../../command/model/decomposition.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import { bucketPaths } from './download-paths.ts'
import { optionValue, plainWords, type Reader, type SpelledPath, spelled, type Use } from './unresolved-path.ts'

/** The value of the first of these options, as a path. */
function optionPath(part: CommandPart, names: readonly string[], use: Use, soft: boolean): SpelledPath[] {
  const word = optionValue(part, names)
  return word === null ? [] : [spelled(word, use, soft)]
}

/** Only its own keys and logs: words after the host are paths on another machine. */
const ssh: Reader = (part) => [
  ...optionPath(part, ['-i', '-F'], 'read', true),
  ...optionPath(part, ['-E'], 'write', false),
]

/** The key itself is not printed: it is loaded, created, or shown by its public half. */
const sshKeys: Reader = (part) => [
  ...plainWords(part, PATH_ARGUMENTS.sshKeyOptions)
    .filter(({ value }) => value === null || !value.startsWith('+'))
    .map((word) => spelled(word, 'read', true)),
  ...optionPath(part, ['-f', '-s'], 'read', true),
]

const MAKES_KEYS = /^(?:gen\w+|ecparam|dhparam|req|x509|pkcs12|pkcs8|rsa|pkey|ec)$/

function touchesLogin(part: CommandPart): boolean {
  return part.args.some(({ value }) => /(?:^|\/)(?:\.ssh|etc)\//.test(value ?? ''))
}

/** Most verbs show only the public part of the file in `-in`. */
const openssl: Reader = (part) => {
  const verb = part.args[0]?.value ?? ''
  const isPublic =
    PATH_ARGUMENTS.opensslReads.has(verb) ||
    part.args.some(({ value }) => /^-(?:pubout|noout|pubin|sign|nokeys)$/.test(value ?? ''))
  const files = verb === 'dgst' ? plainWords(part, PATH_ARGUMENTS.opensslDigestOptions).slice(1) : []
  return [
    ...optionPath(part, ['-in'], 'read', isPublic),
    ...['-inkey', '-key', '-CA', '-CAkey', '-CAfile', '-cert', '-signkey', '-sign', '-verify'].flatMap((name) =>
      optionPath(part, [name], 'read', true),
    ),
    // A new key is harmless unless it replaces one that people sign in with.
    ...optionPath(part, ['-out'], 'write', MAKES_KEYS.test(verb) && !touchesLogin(part)),
    ...optionPath(part, ['-keyout'], 'write', !touchesLogin(part)),
    ...files.map((word) => spelled(word, 'read', true)),
  ]
}

/** `aws`: only `s3` takes plain paths; other services name a file by `file://`. */
const aws: Reader = (part) => {
  if (part.args.some(({ value }) => value === 's3')) return bucketPaths(part)
  return part.args.flatMap((word) => {
    const file = /^fileb?:\/\/(.+)$/.exec(word.value ?? '')?.[1]
    return file === undefined ? [] : [spelled(word, 'read', false, file)]
  })
}

/** `gcloud`: only `storage` takes plain paths. */
const gcloud: Reader = (part) => (part.args[0]?.value === 'storage' ? bucketPaths(part) : [])

const none: Reader = () => []

/** Programs for networks, clouds and machines whose arguments only look like paths. */
export function serviceReaders(): readonly (readonly [string, Reader])[] {
  return [
    ['ssh', ssh],
    ['mosh', ssh],
    ['autossh', ssh],
    ['ssh-add', sshKeys],
    ['ssh-keygen', sshKeys],
    ['openssl', openssl],
    ['aws', aws],
    ['awslocal', aws],
    ['gcloud', gcloud],
    ...[...PATH_ARGUMENTS.noPathPrograms].map((name): [string, Reader] => [name, none]),
  ]
}
