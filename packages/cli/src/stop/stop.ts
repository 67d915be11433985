import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { askService, noService } from '../home/existing-home.ts'
import { printJson, say } from '../terminal/io.ts'

/** `countersign stop`: stops the service. Calls of waiting agents are withdrawn, submitted calls stay held. */
export const command: Subcommand = {
  name: 'stop',
  summary: 'stop the service',
  define(command, io) {
    addExamples(command, [['countersign stop', 'waiting agents are refused; submitted calls stay held']])
    command.action(async () => {
      if ((await askService(io, { do: 'stop' })) === undefined) throw noService('nothing to stop')
      if (io.json) printJson(io, { stopping: true })
      else say(io, 'stopping the service')
    })
  },
}
