import type { CommandPart } from '../../command/model/decomposition.ts'
import { wordSet } from '../arguments/word-set.ts'
import { readBucket } from './download-paths.ts'
import { optionValue, plainWords, type Reader, type SpelledPath, spelled, type Use } from './unresolved-path.ts'

/** The value of the first of these options as a path. */
function named(part: CommandPart, names: readonly string[], use: Use, soft: boolean): SpelledPath[] {
  const word = optionValue(part, names)
  return word === null ? [] : [spelled(word, use, soft)]
}

/** Nothing but the keys and logs of its own: what stands behind the host is a path on another machine. */
const ssh: Reader = (part) => [...named(part, ['-i', '-F'], 'read', true), ...named(part, ['-E'], 'write', false)]

/** A key given to the agent, or made, or shown by its public half, is not read out. */
const keys: Reader = (part) => [
  ...plainWords(part, wordSet('-t -b -C -N -P -m -a -O -I -n -V -z -D -r -R -F -Y -w -f -s -c'))
    .filter(({ value }) => value === null || !value.startsWith('+'))
    .map((word) => spelled(word, 'read', true)),
  ...named(part, ['-f', '-s'], 'read', true),
]

const OPENSSL_SHOWS = wordSet('x509 verify crl req s_client dgst asn1parse ciphers s_time crl2pkcs7 ocsp ca s_server')

const MAKES_KEYS = /^(?:gen\w+|ecparam|dhparam|req|x509|pkcs12|pkcs8|rsa|pkey|ec)$/

function signsIn(part: CommandPart): boolean {
  return part.args.some(({ value }) => /(?:^|\/)(?:\.ssh|etc)\//.test(value ?? ''))
}

/** What `-in` names is shown by most verbs only as far as it is public. */
const openssl: Reader = (part) => {
  const verb = part.args[0]?.value ?? ''
  const shows =
    OPENSSL_SHOWS.has(verb) || part.args.some(({ value }) => /^-(?:pubout|noout|pubin|sign|nokeys)$/.test(value ?? ''))
  const files = verb === 'dgst' ? plainWords(part, wordSet('-sign -verify -signature -out -hmac -macopt')).slice(1) : []
  return [
    ...named(part, ['-in'], 'read', shows),
    ...['-inkey', '-key', '-CA', '-CAkey', '-CAfile', '-cert', '-signkey', '-sign', '-verify'].flatMap((name) =>
      named(part, [name], 'read', true),
    ),
    // A key that is made anew; over one that people sign in with it is rated by its place.
    ...named(part, ['-out'], 'write', MAKES_KEYS.test(verb) && !signsIn(part)),
    ...named(part, ['-keyout'], 'write', !signsIn(part)),
    ...files.map((word) => spelled(word, 'read', true)),
  ]
}

/** `aws`: only `s3` takes plain paths; elsewhere a file is named by `file://`. */
const aws: Reader = (part) => {
  if (part.args.some(({ value }) => value === 's3')) return readBucket(part)
  return part.args.flatMap((word) => {
    const file = /^fileb?:\/\/(.+)$/.exec(word.value ?? '')?.[1]
    return file === undefined ? [] : [spelled(word, 'read', false, file)]
  })
}

/** `gcloud storage cp` takes plain paths; of other verbs nothing is a file. */
const gcloud: Reader = (part) => (part.args[0]?.value === 'storage' ? readBucket(part) : [])

/** The device is named by the assessor itself. */
const none: Reader = () => []

/** Programs for the network, the clouds and the machine whose words are not the paths they seem to be. */
export const SERVICE_READERS: readonly (readonly [string, Reader])[] = [
  ['ssh', ssh],
  ['mosh', ssh],
  ['autossh', ssh],
  ['ssh-add', keys],
  ['ssh-keygen', keys],
  ['openssl', openssl],
  ['aws', aws],
  ['awslocal', aws],
  ['gcloud', gcloud],
  ...[
    ...wordSet(
      'fdisk sfdisk sgdisk gdisk cfdisk parted smartctl hdparm blkid lsblk mdadm nvme cryptsetup wipefs mkfs mke2fs mkswap ' +
        'mount umount swapon swapoff losetup fsck e2fsck tune2fs findmnt badblocks blkdiscard pvcreate diskutil az ' +
        'redis-cli mongosh mongo vault pass gopass op bw secret-tool sysctl ip route defaults kubectl-neat tmux screen',
    ),
  ].map((name): [string, Reader] => [name, none]),
]
