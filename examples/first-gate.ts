import { markOf, refusalText } from '@countersign/core'
import { openGate } from '@countersign/node'

const { gate } = await openGate({ home: 'gate-home' }) // policy, store and keys; default: ~/.countersign
gate.subscribe((event) => {
  if (event.kind === 'held') console.log(`held: npx countersign approve ${markOf(event.view)} --home gate-home`)
})

const publish = gate.wrap({ name: 'publish', run: ({ page }: { page: string }) => `${page} is online` })

const result = await publish({ page: 'prices' }) // waits until a person decides
if (result.kind === 'completed') console.log(result.value)
if (result.kind === 'refusal') console.log(refusalText(result)) // tell the model why
await gate.close()
