"""A program that speaks: text on standard input, rate as its argument, a WAV file on standard output."""

import io
import sys
import wave

RATE = 8000


def main():
    rate = float(sys.argv[1])
    text = sys.stdin.buffer.read().decode()
    if "refuse" in text:
        sys.exit("I will not say that")
    length = int(RATE * 0.06 * len(text) / rate)
    samples = b"".join((8000 if at // 20 % 2 else -8000).to_bytes(2, "little", signed=True) for at in range(length))
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes(samples)
    sys.stdout.buffer.write(file.getvalue())


if __name__ == "__main__":
    main()
