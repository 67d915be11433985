import { benchAutomatic } from '/work/main/bench/gate/automatic.ts'
import { formatText } from '/work/main/bench/table.ts'

console.log(formatText({ title: 'x', rows: await benchAutomatic({ reps: 15, turn: 60, warm: 400 }) }))
