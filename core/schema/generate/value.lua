-- Values of a row's words, each with what it is, so that who writes rows chooses how: in C, or packed into
-- tables.

local value = {}

--- { is = "text", … } of any bytes.
function value.text(text) return { is = "text", text = text } end

--- A number.
function value.number(number) return { is = "number", number = number } end

--- A constant of record/schema.h: REC_U8.
function value.constant(name) return { is = "constant", name = name } end

--- Constants that are joined by `|`.
function value.flags(list) return { is = "flags", list = list } end

--- A const object of C, which is pointed to: rec_type hka_skeleton.
function value.object(name) return { is = "object", name = name } end

--- A function of C.
function value.hook(name) return { is = "hook", name = name } end

--- Some numbers.
function value.numbers(list) return { is = "numbers", list = list } end

value.yes = { is = "yes" }

return value
