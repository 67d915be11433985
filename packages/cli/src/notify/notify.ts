import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { type AddFlags, addChannel } from './add.ts'
import { list } from './list.ts'
import { type QuietFlags, remove, set, setQuiet } from './settings.ts'
import { showStatus } from './status.ts'
import { test } from './test-message.ts'

/** `countersign notify`: notifications of held calls. */
export const command: Subcommand = {
  name: 'notify',
  summary: 'get notified of held calls: desktop, phone, webhooks',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign notify add ntfy https://ntfy.sh/your-secret-topic', 'a phone with the ntfy app'],
      ['countersign notify add desktop', 'this desktop'],
      ['countersign notify test', 'send a test message through every channel'],
      ['countersign notify quiet 22:00-07:00', 'only critical calls at night'],
      ['countersign notify status', 'what was sent and what failed'],
    ])
    defineAdd(nested(command, 'add', 'add a channel'), io)
    const listing = nested(command, 'list', 'list channels and settings')
    addExamples(listing, [['countersign notify list', 'channels, without their secrets']])
    listing.action(() => list(io))
    const removing = nested(command, 'remove', 'remove a channel, a browser or a push service')
    addExamples(removing, [['countersign notify remove ntfy', 'the name is shown by `countersign notify list`']])
    removing.argument('<name>', 'name of the channel').action((name: string) => remove(name, io))
    const testing = nested(command, 'test', 'send a test message')
    addExamples(testing, [
      ['countersign notify test', 'through every channel'],
      ['countersign notify test ntfy', 'through one'],
    ])
    testing.argument('[name]', 'name of the channel').action((name: string | undefined) => test(name, io))
    const showing = nested(command, 'status', 'show what was sent and what failed')
    addExamples(showing, [
      ['countersign notify status', 'channels, failures and undelivered messages'],
      ['countersign notify status --json', 'as JSON'],
    ])
    showing.action(() => showStatus(io))
    defineQuiet(nested(command, 'quiet', 'set quiet hours'), io)
    const setting = nested(command, 'set', 'change a setting')
    addExamples(setting, [
      ['countersign notify set from medium', 'the lowest risk you are notified of'],
      ['countersign notify set reminder 2m', 'when to remind you before the deadline; off for never'],
      ['countersign notify set merge 10s', 'calls held within this time share one message'],
      ['countersign notify set details summary', 'also send the redacted line that the history shows'],
    ])
    setting
      .argument('<setting>', 'from, reminder, merge or details')
      .argument('<value>', 'its value')
      .action((name: string, value: string) => set(name, value, io))
  },
}

function defineAdd(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign notify add desktop', 'notifications on the desktop of this account'],
    ['countersign notify add ntfy https://ntfy.sh/your-secret-topic', 'the topic is a password: choose a long one'],
    ['countersign notify add ntfy https://ntfy.home.example/gate --token-file token --private', 'your own server'],
    ['countersign notify add webhook https://hooks.example/gate', 'signed requests; prints the secret once'],
    ['countersign notify add push-service push.example', 'let browsers with this push service subscribe'],
  ])
  command
    .argument('<kind>', 'desktop, ntfy, webhook or push-service')
    .argument('[target]', 'URL of the topic or receiver, or host of the push service')
    .option('--name <name>', 'name of the channel (default: its kind)')
    .option('--from <risk>', 'only calls of this risk and above')
    .option('--token-file <file>', 'file with the access token of the ntfy server; `-` for stdin')
    .option('--secret-file <file>', 'file with the `whsec_` secret of the webhook; `-` for stdin (default: a new one)')
    .option('--ed25519', 'sign webhooks with an Ed25519 key too, so that receivers need no secret')
    .option('--private', 'the host is in a private network')
    .action((kind: string, target: string | undefined, flags: AddFlags) => addChannel(kind, target, flags, io))
}

function defineQuiet(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign notify quiet 22:00-07:00', 'critical calls are still sent'],
    ['countersign notify quiet 22:00-07:00 --except critical,reminder', 'and the last reminder of any call'],
    ['countersign notify quiet 22:00-07:00 --except none', 'nothing at all'],
    ['countersign notify quiet off', 'no quiet hours'],
  ])
  command
    .argument('<hours>', 'a range such as 22:00-07:00, or off')
    .option('--except <what>', 'critical, reminder, both with a comma, or none (default: critical)')
    .option('--zone <zone>', 'time zone such as Europe/Vienna (default: the service’s)')
    .action((hours: string, flags: QuietFlags) => setQuiet(hours, flags, io))
}
