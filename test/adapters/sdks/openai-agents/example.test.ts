import { describeExample } from '../../support/run-example.ts'

describeExample('openai-agents', import.meta.dirname)
